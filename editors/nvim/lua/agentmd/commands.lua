--- The plugin's commands.
local M = {}

---@return vim.lsp.Client?
local function client()
  local found = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
  if not found then
    vim.notify('agentmd: no server for this buffer; :checkhealth agentmd shows why', vim.log.levels.WARN)
  end
  return found
end

--- Offers the edits of a reply at the cursor or in a range of lines.
---@param arguments vim.api.keyset.create_user_command.command_args
function M.apply(arguments)
  if not client() then
    return
  end
  local range
  if arguments.range > 0 then
    local last = vim.api.nvim_buf_get_lines(0, arguments.line2 - 1, arguments.line2, false)[1] or ''
    range = { start = { arguments.line1, 0 }, ['end'] = { arguments.line2, #last } }
  end
  vim.lsp.buf.code_action { context = { only = { 'refactor' }, diagnostics = {} }, range = range }
end

--- Applies every safe fix.
function M.fix_all()
  if client() then
    vim.lsp.buf.code_action { context = { only = { 'source.fixAll' }, diagnostics = {} }, apply = true }
  end
end

--- Copies the selector of the block at the cursor to the register `"`, and to the clipboard if available.
function M.copy_selector()
  local found = client()
  if not found then
    return
  end
  local known = vim.tbl_get(found.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(known, 'agentmd.copySelector') then
    vim.notify('agentmd: this server is too old to copy selectors', vim.log.levels.WARN)
    return
  end
  local place = vim.lsp.util.make_position_params(0, found.offset_encoding)
  local argument = { uri = place.textDocument.uri, position = place.position }
  -- The configuration handles the response.
  found:exec_cmd({ title = 'Copy selector', command = 'agentmd.copySelector', arguments = { argument } }, { bufnr = vim.api.nvim_get_current_buf() })
end

--- Adds lines of any file to the context pack opened last.
---@param arguments vim.api.keyset.create_user_command.command_args
function M.add_to_context(arguments)
  local found = vim.lsp.get_clients({ name = 'agentmd' })[1]
  if not found then
    vim.notify('agentmd: open the context pack first, then the file to add lines from', vim.log.levels.WARN)
    return
  end
  local buffer = vim.api.nvim_get_current_buf()
  if vim.bo[buffer].modified and not vim.lsp.buf_is_attached(buffer, found.id) then
    vim.notify('agentmd: save the file first; its lines are read from disk', vim.log.levels.WARN)
    return
  end
  local range = { start = { line = arguments.line1 - 1, character = 0 }, ['end'] = { line = arguments.line2, character = 0 } }
  local params = { command = 'agentmd.addToContext', arguments = { { uri = vim.uri_from_bufnr(buffer), range = range } } }
  found:request('workspace/executeCommand', params, function(failure)
    if failure then
      vim.notify('agentmd: ' .. failure.message, vim.log.levels.WARN)
    else
      vim.notify 'Added to the context pack'
    end
  end, buffer)
end

--- Shows every selector of the file, as `agentmd index` prints them.
function M.index()
  local command = vim.lsp.config.agentmd and vim.lsp.config.agentmd.cmd
  local file = vim.api.nvim_buf_get_name(0)
  if type(command) ~= 'table' or vim.fn.filereadable(file) == 0 then
    vim.notify('agentmd: save the file first', vim.log.levels.WARN)
    return
  end
  local run = vim.system({ command[1], 'index', '--pretty', file }, { text = true }):wait(10000)
  if run.code ~= 0 and run.stdout == '' then
    vim.notify('agentmd: ' .. vim.trim(run.stderr or ''), vim.log.levels.ERROR)
    return
  end
  vim.cmd.new()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(vim.trim(run.stdout), '\n'))
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype, vim.bo.modifiable = 'nofile', 'wipe', 'json', false
end

--- Runs a command of the server and shows the answer in a new buffer.
---@param command string
---@param more table
---@param filetype string
local function show(command, more, filetype)
  local found = client()
  if not found then
    return
  end
  local known = vim.tbl_get(found.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(known, command) then
    vim.notify('agentmd: this server is too old for ' .. command, vim.log.levels.WARN)
    return
  end
  local argument = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(0) }, more)
  found:request('workspace/executeCommand', { command = command, arguments = { argument } }, function(failure, answer)
    if failure then
      vim.notify('agentmd: ' .. failure.message, vim.log.levels.WARN)
      return
    end
    local text = type(answer) == 'string' and answer or vim.json.encode(answer)
    vim.cmd.new()
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(vim.trim(text), '\n'))
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.filetype, vim.bo.modifiable = 'nofile', 'wipe', filetype, false
  end, vim.api.nvim_get_current_buf())
end

--- Shows what clients load when they work on this file.
function M.loaded()
  show('agentmd.loaded', {}, 'json')
end

--- Shows which files use which, as a Mermaid flowchart.
function M.graph()
  show('agentmd.graph', { format = 'mermaid' }, 'mermaid')
end

---@param client table
---@param file table
---@return string
local function cost(client, file)
  local sign = client.counted == 'bytes/4' and '~' or ''
  local parts = {}
  for _, part in ipairs { { file.always, 'always' }, { file.matched, 'when files match' }, { file.on_demand, 'on demand' } } do
    if (part[1] or 0) > 0 then
      table.insert(parts, ('%s%d tokens %s'):format(sign, part[1], part[2]))
    end
  end
  return table.concat(parts, ', ')
end

--- The outcomes that a quickfix list marks.
local TYPES = { partly = 'W', ['not-loaded'] = 'E', ['does-not-start'] = 'E' }

--- Lists the agent files and programs of the workspace, as each client sees them, in the quickfix list.
function M.files()
  local found = client()
  if not found then
    return
  end
  local root = found.root_dir or vim.fn.getcwd()
  found:request('workspace/executeCommand', { command = 'agentmd.overview', arguments = { { uri = vim.uri_from_fname(root) } } }, function(failure, answer)
    if failure then
      vim.notify('agentmd: ' .. failure.message, vim.log.levels.WARN)
      return
    end
    local items = {}
    local function add(path, text, type)
      local name = vim.startswith(path, '~') and vim.fs.normalize(path) or vim.startswith(path, '/') and path or vim.fs.joinpath(root, path)
      table.insert(items, { filename = name, lnum = 1, text = text, type = type or '' })
    end
    for _, one in ipairs(answer.clients) do
      for _, file in ipairs(one.files) do
        local said = ('%s: %s %s, %s'):format(one.title, file.kind, file.name, (file.outcome:gsub('-', ' ')))
        local costs = cost(one, file)
        add(file.path, costs == '' and said or said .. ', ' .. costs, TYPES[file.outcome])
      end
    end
    for _, program in ipairs(answer.programs) do
      add(program.path, 'program ' .. program.name)
    end
    if #items == 0 then
      vim.notify('agentmd: this folder has no agent files or programs yet')
      return
    end
    vim.fn.setqflist({}, ' ', { title = 'agentmd: agent files', items = items })
    vim.cmd.copen()
  end, vim.api.nvim_get_current_buf())
end

--- Shows the page of a rule, which the program contains, in a new buffer.
---@param found vim.lsp.Client
---@param code string
function M.explain(found, code)
  found:request('workspace/executeCommand', { command = 'agentmd.explain', arguments = { { code = code } } }, function(failure, page)
    if failure then
      vim.notify('agentmd: ' .. failure.message, vim.log.levels.WARN)
      return
    end
    vim.cmd.new()
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(vim.trim(page), '\n'))
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable = 'nofile', 'wipe', false
    vim.treesitter.language.add 'markdown'
    pcall(vim.treesitter.start, 0, 'markdown')
  end)
end

--- Explains the named rule, or that of the first finding in the cursor's line.
---@param arguments vim.api.keyset.create_user_command.command_args
function M.explain_here(arguments)
  local found = client()
  if not found then
    return
  end
  local code = arguments.args
  if code == '' then
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    for _, finding in ipairs(vim.diagnostic.get(0, { lnum = line })) do
      if finding.source == 'agentmd' and code == '' then
        code = tostring(finding.code)
      end
    end
  end
  if code == '' then
    vim.notify('agentmd: no finding in this line', vim.log.levels.WARN)
  else
    M.explain(found, code)
  end
end

--- Opens the log of language servers.
function M.log()
  vim.cmd.split(vim.fn.fnameescape(vim.lsp.get_log_path()))
end

function M.create()
  local create = vim.api.nvim_create_user_command
  create('AgentmdApply', M.apply, { range = true, desc = 'Choose which edits of a reply to apply' })
  create('AgentmdReview', function(arguments)
    require('agentmd.review').command(arguments)
  end, {
    nargs = '?',
    complete = function(word)
      return vim.tbl_filter(function(action)
        return vim.startswith(action, word)
      end, require('agentmd.review').ACTIONS)
    end,
    desc = 'Review the edits of a reply one by one',
  })
  create('AgentmdFixAll', M.fix_all, { desc = 'Apply all safe fixes' })
  create('AgentmdCopySelector', M.copy_selector, { desc = 'Copy the selector of the block at the cursor' })
  create('AgentmdAddToContext', M.add_to_context, { range = true, desc = 'Add lines to the context pack that was opened last' })
  create('AgentmdIndex', M.index, { desc = 'Show every selector of this file' })
  create('AgentmdFiles', M.files, { desc = 'List the agent files of the workspace, as each client sees them' })
  create('AgentmdLoaded', M.loaded, { desc = 'Show what clients load for this file' })
  create('AgentmdGraph', M.graph, { desc = 'Show who uses whom, as a Mermaid flowchart' })
  create('AgentmdRun', function(arguments)
    require('agentmd.programs').run { uri = vim.uri_from_bufnr(0), sample = arguments.bang }
  end, { bang = true, desc = 'Run this program; with !, with its sample' })
  create('AgentmdPreview', function(arguments)
    require('agentmd.preview').open(arguments)
  end, { nargs = '?', desc = 'Show the prompt of this program next to it' })
  create('AgentmdTest', function()
    require('agentmd.programs').test { uri = vim.uri_from_bufnr(0) }
  end, { desc = 'Run the tests of this program or test file' })
  create('AgentmdExplain', M.explain_here, { nargs = '?', desc = 'Show the page of a rule' })
  create('AgentmdRestart', require('agentmd.server').restart, { desc = 'Restart the server' })
  create('AgentmdLog', M.log, { desc = 'Open the log of language servers' })
end

return M
