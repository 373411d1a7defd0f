--- Runs programs and their tests: the server only says what can be run.
local M = {}

local namespace = vim.api.nvim_create_namespace 'agentmd-test'

--- The saved file, and the program that runs it.
---@param uri string
---@return string? file
---@return string? program
local function find(uri)
  local buffer = vim.uri_to_bufnr(uri)
  local file = vim.uri_to_fname(uri)
  local command = vim.lsp.config.agentmd and vim.lsp.config.agentmd.cmd
  if type(command) ~= 'table' or file == '' then
    vim.notify('agentmd: save the file first', vim.log.levels.WARN)
    return
  end
  if vim.bo[buffer].modified then
    vim.api.nvim_buf_call(buffer, vim.cmd.write)
  end
  return file, command[1]
end

--- Runs a program in a terminal: with its sample, or with an input that you type.
---@param wanted { uri: string, sample?: boolean }
function M.run(wanted)
  local file, program = find(wanted.uri)
  if not file then
    return
  end
  local function start(more)
    vim.cmd 'botright new'
    vim.fn.jobstart(vim.list_extend({ program, 'run', file }, more), { term = true, cwd = vim.fs.dirname(file) })
  end
  if wanted.sample then
    start { '--sample' }
    return
  end
  vim.ui.input({ prompt = 'Input (JSON): ', default = '{}' }, function(input)
    if input then
      start { '--input', input }
    end
  end)
end

---@param report table
---@param folder string
local function show(report, folder)
  for _, program in ipairs(report.programs) do
    local found = {}
    for _, case in ipairs(program.cases) do
      if case.outcome ~= 'passed' then
        local severity = case.outcome == 'unrecorded' and vim.diagnostic.severity.WARN or vim.diagnostic.severity.ERROR
        local message = case.name .. ': ' .. (case.message or case.outcome)
        table.insert(found, { lnum = math.max(case.line - 1, 0), col = 0, message = message, severity = severity, source = 'agentmd test' })
      end
    end
    local file = vim.startswith(program.file, '/') and program.file or vim.fs.joinpath(folder, program.file)
    vim.diagnostic.set(namespace, vim.fn.bufadd(file), found)
  end
  local parts = { report.summary.passed .. ' passed' }
  for _, outcome in ipairs { 'failed', 'unrecorded', 'errors' } do
    if report.summary[outcome] > 0 then
      table.insert(parts, report.summary[outcome] .. ' ' .. outcome)
    end
  end
  vim.notify('agentmd: ' .. table.concat(parts, ', '))
end

--- Runs the tests of a file, or one case, and shows the results as diagnostics.
---@param wanted { uri: string, case?: string }
function M.test(wanted)
  local file, program = find(wanted.uri)
  if not file then
    return
  end
  local command = { program, 'test', file, '--format', 'json' }
  if wanted.case then
    vim.list_extend(command, { '--exact', '--filter=' .. wanted.case })
  end
  local folder = vim.fs.dirname(file)
  vim.system(command, { text = true, cwd = folder }, vim.schedule_wrap(function(run)
    local read, report = pcall(vim.json.decode, run.stdout or '')
    if read and type(report) == 'table' and report.programs then
      show(report, folder)
    else
      vim.notify('agentmd: ' .. vim.trim(run.stderr or 'no report'), vim.log.levels.ERROR)
    end
  end))
end

return M
