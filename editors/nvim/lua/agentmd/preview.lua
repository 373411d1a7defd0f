--- Shows the prompt of a program as the model reads it, next to the program, while you type. The server renders it.
local M = {}

--- Milliseconds without a change before the prompt is rendered again.
local PAUSE = 150

---@param uri string
---@return string
local function name_of(uri)
  return 'agentmd-preview://' .. vim.uri_to_fname(uri)
end

---@param buffer integer
---@param lines string[]
local function write(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable, vim.bo[buffer].modified = false, false
end

--- The line above the prompt: its size and problems.
---@param answer table
---@return string
local function headline(answer)
  local parts = {}
  if answer.tokens and answer.tokens ~= vim.NIL then
    table.insert(parts, ('about %d tokens'):format(answer.tokens))
  end
  table.insert(parts, answer.sample and 'with the sample' or 'with ' .. vim.json.encode(answer.input))
  for _, problem in ipairs(answer.problems) do
    table.insert(parts, problem.message)
  end
  return table.concat(parts, ' · ')
end

---@param program integer
---@param shown integer
---@param input? table
local function refresh(program, shown, input)
  local client = vim.lsp.get_clients({ bufnr = program, name = 'agentmd' })[1]
  if not client then
    return
  end
  local argument = { uri = vim.uri_from_bufnr(program), input = input }
  client:request('workspace/executeCommand', { command = 'agentmd.preview', arguments = { argument } }, function(failure, answer)
    if not vim.api.nvim_buf_is_valid(shown) then
      return
    end
    local window = vim.fn.bufwinid(shown)
    if failure or not answer or answer == vim.NIL then
      write(shown, { failure and failure.message or 'This document is not a program.' })
    elseif answer.text and answer.text ~= vim.NIL then
      write(shown, vim.split(answer.text, '\n'))
    end
    if window ~= -1 and answer and answer ~= vim.NIL then
      vim.wo[window].winbar = headline(answer):gsub('%%', '%%%%'):gsub('\n', ' ')
    end
  end, program)
end

--- `:AgentmdPreview [input]`
---@param arguments vim.api.keyset.create_user_command.command_args
function M.open(arguments)
  local program = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ bufnr = program, name = 'agentmd' })[1]
  if not client then
    return vim.notify('agentmd: no server for this buffer; :checkhealth agentmd shows why', vim.log.levels.WARN)
  end
  local input
  if arguments.args ~= '' then
    local read, value = pcall(vim.json.decode, arguments.args)
    if not read then
      return vim.notify('agentmd: the input is not JSON: ' .. value, vim.log.levels.WARN)
    end
    input = value
  end
  local name = name_of(vim.uri_from_bufnr(program))
  local shown = vim.fn.bufnr('^' .. vim.fn.escape(name, '*?,{}[]\\') .. '$')
  if shown == -1 then
    shown = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(shown, name)
    vim.bo[shown].bufhidden, vim.bo[shown].syntax = 'wipe', 'markdown'
  end
  if vim.fn.bufwinid(shown) == -1 then
    local own = vim.api.nvim_get_current_win()
    vim.cmd('rightbelow vertical sbuffer ' .. shown)
    vim.wo.wrap, vim.wo.linebreak = true, true
    vim.api.nvim_set_current_win(own)
  end
  refresh(program, shown, input)
  local changes = 0
  local group = vim.api.nvim_create_augroup('agentmd-preview-' .. program, {})
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, {
    group = group,
    buffer = program,
    desc = 'Render the prompt again',
    callback = function()
      if not vim.api.nvim_buf_is_valid(shown) then
        return true
      end
      changes = changes + 1
      local change = changes
      vim.defer_fn(function()
        if change == changes and vim.api.nvim_buf_is_valid(program) and vim.api.nvim_buf_is_valid(shown) then
          refresh(program, shown, input)
        end
      end, PAUSE)
    end,
  })
end

return M
