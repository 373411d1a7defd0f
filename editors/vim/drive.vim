" Tests the server in a real Vim with ALE, without a screen. The exit status is 0 if every step succeeds.
"   AGENTMD=target/release/agentmd vim -es -N -u editors/vim/drive.vim -i NONE
set nocompatible hidden noswapfile encoding=utf-8
set packpath+=/usr/share/vim/vimfiles
let &runtimepath .= ',' . expand('<sfile>:p:h')
let g:ale_linters = {'markdown': ['agentmd']}
let g:ale_markdown_agentmd_executable = fnamemodify(empty($AGENTMD) ? 'target/release/agentmd' : $AGENTMD, ':p')
let g:ale_lint_delay = 50
let g:ale_hover_to_preview = 1
let g:ale_echo_cursor = 0
filetype plugin on
packadd ale
runtime! plugin/ale.vim

let s:folder = tempname()
call mkdir(s:folder, 'p')
call writefile([], s:folder . '/agentmd.toml')
call writefile(['---', 'name: triage', 'description: Sorts the tickets of a day', 'input:', '  type: object', '  properties:', '    team: { type: string }', '  required: [team]', 'output:', '  type: object', '  properties:', '    urgent: { type: boolean }', '  required: [urgent]', '---', '', '# Triage', '', 'For {{ .taem }} and {{ .team }}'], s:folder . '/triage.md')

let s:lines = []
let s:failed = 0
function! Say(name, good, what) abort
  let s:failed += a:good ? 0 : 1
  call add(s:lines, printf('%s %-12s %s', a:good ? 'ok  ' : 'FAIL', a:name, a:what))
endfunction
function! Wait(holds) abort
  for l:turn in range(500)
    if a:holds()
      return 1
    endif
    sleep 20m
  endfor
  return 0
endfunction
function! Findings() abort
  return map(copy(get(get(g:ale_buffer_info, bufnr(''), {}), 'loclist', [])), 'v:val.lnum . ":" . v:val.col . " " . v:val.text')
endfunction
function! Shown() abort
  return join(map(filter(range(1, bufnr('$')), 'v:val != s:buffer && bufexists(v:val)'), 'join(getbufline(v:val, 1, "$"), " ")'), ' ')
endfunction

call writefile(['Hello world'], s:folder . '/greet.txt')
call writefile(['Read this.', '', 'greet.txt', '<<<<<<< SEARCH', 'Hello world', '=======', 'Hei maailma', '>>>>>>> REPLACE'], s:folder . '/reply.md')

" The user's answer: a new name, or a part of a row in a list.
let s:answer = ''
runtime autoload/ale/util.vim
function! ale#util#Input(message, ...) abort
  let l:rows = filter(split(a:message, "\n"), 'v:val =~# "^\\d\\+) " && stridx(v:val, s:answer) >= 0')
  return empty(l:rows) ? s:answer : matchstr(l:rows[0], '^\d\+')
endfunction
function! Line(number, text) abort
  return Wait({-> getline(a:number) ==# a:text})
endfunction

execute 'edit' fnameescape(s:folder . '/triage.md')
setfiletype markdown
let s:buffer = bufnr('')
call ale#Queue(0)
call Say('diagnostics', Wait({-> join(Findings()) =~# '18:9 .*taem'}), join(Findings(), ' | '))
call search('{{ \.team', 'w')
call search('team', 'c')
ALEHover
call Say('hover', Wait({-> Shown() =~# 'string'}), Shown())
silent! pclose
call cursor(18, 25)
ALEGoToDefinition
call Say('definition', Wait({-> line('.') == 7}), 'line ' . line('.'))
ALESymbolSearch Triage
call Say('symbols', Wait({-> Shown() =~# 'Triage'}), Shown())
silent! pclose
execute bufwinnr(s:buffer) . 'wincmd w'
execute 'buffer' s:buffer

call cursor(18, 9)
let s:answer = '` in this file'
ALECodeAction
call Say('disable', Wait({-> search('agentmd-disable', 'nw') > 0}), getline(search('agentmd-disable', 'nw')))
silent undo
call cursor(18, 9)
call ale#Queue(0)
call Wait({-> join(Findings()) =~# '18:9 .*taem'})
let s:answer = 'Replace with `team`'
ALECodeAction
call Say('code action', Line(18, 'For {{ .team }} and {{ .team }}'), getline(18))
ALEFindReferences -quickfix
call Say('references', Wait({-> len(getqflist()) >= 3}), join(map(getqflist(), 'v:val.lnum'), ' '))
cclose
execute 'buffer' s:buffer
call cursor(18, 9)
let s:answer = 'squad'
ALERename
call Say('rename', Line(18, 'For {{ .squad }} and {{ .squad }}') && getline(7) =~# 'squad:' && getline(8) =~# '\[squad\]', getline(7) . getline(8))
setlocal omnifunc=ale#completion#OmniFunc completeopt=menu
call setline(18, 'For {{ .sq')
call cursor(18, 10)
execute "normal! A\<C-x>\<C-o>\<C-y>\<Esc>"
call Say('completion', Line(18, 'For {{ .squad }}'), getline(18))
write!

execute 'edit' fnameescape(s:folder . '/reply.md')
setfiletype markdown
let s:buffer = bufnr('')
call ale#Queue(0)
call cursor(7, 3)
ALEHover
call Say('edit block', Wait({-> Shown() =~# '+Hei maailma'}), Shown()[-60:])
silent! pclose
execute 'buffer' s:buffer
call cursor(7, 3)
let s:answer = 'Apply 1 change to greet.txt'
ALECodeAction
let s:greet = s:folder . '/greet.txt'
call Say('apply', Wait({-> (bufexists(s:greet) ? getbufline(s:greet, 1) : readfile(s:greet)) ==# ['Hei maailma']}), join(getbufline(s:greet, 1)) . ' in the buffer, ' . join(readfile(s:greet)) . ' on disk')

for s:connection in keys(ale#lsp#GetConnections())
  call ale#lsp#Stop(s:connection)
endfor
call add(s:lines, printf('%d passed, %d failed', len(s:lines) - s:failed, s:failed))
call writefile(s:lines, '/dev/stdout', 'a')
call delete(s:folder, 'rf')
execute s:failed ? 'cquit!' : 'qall!'
