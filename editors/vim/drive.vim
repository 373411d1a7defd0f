" The server in a real Vim with ALE, without a screen; the status is 0 if every step went well.
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
for s:connection in keys(ale#lsp#GetConnections())
  call ale#lsp#Stop(s:connection)
endfor
call add(s:lines, printf('%d passed, %d failed', len(s:lines) - s:failed, s:failed))
call writefile(s:lines, '/dev/stdout', 'a')
call delete(s:folder, 'rf')
execute s:failed ? 'cquit!' : 'qall!'
