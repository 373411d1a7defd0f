--- What the commands of the plugin do.
local M = {}

---@return vim.lsp.Client?
local function client()
  local found = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
  if not found then
    vim.notify('agentmd: no server serves this buffer; :checkhealth agentmd says why', vim.log.levels.WARN)
  end
  return found
end

--- Offers what of a reply can be applied: at the cursor, or in the lines of a range.
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

--- Applies every fix that cannot be wrong.
function M.fix_all()
  if client() then
    vim.lsp.buf.code_action { context = { only = { 'source.fixAll' }, diagnostics = {} }, apply = true }
  end
end

--- Puts the selector of the block at the cursor into the register `"`, and into that of the clipboard if there is one.
function M.copy_selector()
  local found = client()
  if not found then
    return
  end
  local known = vim.tbl_get(found.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(known, 'agentmd.copySelector') then
    vim.notify('agentmd: this server knows no selectors; a newer one may', vim.log.levels.WARN)
    return
  end
  local place = vim.lsp.util.make_position_params(0, found.offset_encoding)
  local argument = { uri = place.textDocument.uri, position = place.position }
  -- The configuration says what becomes of the answer.
  found:exec_cmd({ title = 'Copy selector', command = 'agentmd.copySelector', arguments = { argument } }, { bufnr = vim.api.nvim_get_current_buf() })
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

--- Opens what servers have written.
function M.log()
  vim.cmd.split(vim.fn.fnameescape(vim.lsp.get_log_path()))
end

function M.create()
  local create = vim.api.nvim_create_user_command
  create('AgentmdApply', M.apply, { range = true, desc = 'Choose which edits of a reply are made to files' })
  create('AgentmdFixAll', M.fix_all, { desc = 'Apply every fix that cannot be wrong' })
  create('AgentmdCopySelector', M.copy_selector, { desc = 'Copy the selector of the block at the cursor' })
  create('AgentmdIndex', M.index, { desc = 'Show every selector of this file' })
  create('AgentmdRestart', require('agentmd.server').restart, { desc = 'Restart the server' })
  create('AgentmdLog', M.log, { desc = 'Open what servers have written' })
end

return M
