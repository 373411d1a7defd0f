" Language server for agent Markdown, for ALE.

call ale#Set('markdown_agentmd_executable', 'agentmd')
" Settings with the same names as in an agentmd.toml, which takes precedence.
call ale#Set('markdown_agentmd_settings', {})

function! ale_linters#markdown#agentmd#GetProjectRoot(buffer) abort
    let l:settings = ale#path#FindNearestFile(a:buffer, 'agentmd.toml')
    let l:git = ale#path#FindNearestDirectory(a:buffer, '.git')

    if !empty(l:settings)
        return fnamemodify(l:settings, ':h')
    endif

    return !empty(l:git) ? fnamemodify(l:git, ':h:h') : expand('#' . a:buffer . ':p:h')
endfunction

call ale#linter#Define('markdown', {
\   'name': 'agentmd',
\   'lsp': 'stdio',
\   'executable': {buffer -> ale#Var(buffer, 'markdown_agentmd_executable')},
\   'command': '%e server',
\   'project_root': function('ale_linters#markdown#agentmd#GetProjectRoot'),
\   'initialization_options': {buffer -> ale#Var(buffer, 'markdown_agentmd_settings')},
\   'lsp_config': {buffer -> {'agentmd': ale#Var(buffer, 'markdown_agentmd_settings')}},
\})
