local M = {}
local health = vim.health
local OLDEST = require('agentmd.server').OLDEST

---@return boolean
local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.11') == 0 then
    health.error('Neovim ' .. version .. ' is too old', { 'Install Neovim 0.11 or newer' })
    return false
  end
  health.ok('Neovim ' .. version)
  return true
end

---@param command string[]
local function check_binary(command)
  local program = command[1]
  local path = vim.fn.exepath(program)
  if path == '' then
    health.error(('`%s` cannot be found'):format(program), {
      'Install it: `cargo install --path . --locked` in a clone of agentmd',
      'Or set its path: `require("agentmd").setup { cmd = { "/path/to/agentmd", "server" } }`',
    })
    return
  end
  local started, run = pcall(function()
    return vim.system({ path, '--version' }, { text = true, timeout = 5000 }):wait()
  end)
  if not started or run.code ~= 0 then
    health.error(('`%s --version` failed'):format(path), { started and vim.trim(run.stderr or '') or tostring(run) })
    return
  end
  local printed = vim.trim(run.stdout)
  local version = vim.version.parse(printed:match '^agentmd (%S+)' or '')
  if not version then
    health.error(('`%s` is not agentmd: `--version` printed `%s`'):format(path, printed), { 'Set `cmd` in `setup` to the right program' })
  elseif vim.version.lt(version, OLDEST) then
    health.error(('%s (`%s`) is too old'):format(printed, path), { ('Install agentmd %s or newer'):format(OLDEST) })
  else
    health.ok(('%s (`%s`)'):format(printed, path))
  end
end

---@param client vim.lsp.Client
local function describe(client)
  local version = vim.tbl_get(client, 'server_info', 'version') or 'of an unknown version'
  local buffers = vim.tbl_count(client.attached_buffers)
  health.ok(
    ('server %s, attached to %d %s, positions in %s'):format(
      version,
      buffers,
      buffers == 1 and 'buffer' or 'buffers',
      client.offset_encoding
    )
  )
  local root = client.root_dir
  if not root then
    health.info('no root: each file is checked on its own, without workspace symbols')
    return
  end
  health.info('root: `' .. root .. '`')
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'agentmd' })
  if #clients == 0 then
    if vim.lsp.is_enabled and not vim.lsp.is_enabled('agentmd') then
      health.warn('the server is not enabled', { 'Call `vim.lsp.enable("agentmd")`' })
    else
      health.info('the server is not running: it starts with the first Markdown file')
    end
    return
  end
  vim.iter(clients):each(describe)
end

--- Two servers of this program on one buffer show everything twice.
local function check_twice()
  local served = {}
  for _, client in ipairs(vim.lsp.get_clients()) do
    local command = client.config.cmd
    local program = type(command) == 'table' and vim.fs.basename(command[1]):gsub('%.exe$', '')
    if program == 'agentmd' or vim.tbl_get(client, 'server_info', 'name') == 'agentmd' then
      for buffer in pairs(client.attached_buffers) do
        served[buffer] = served[buffer] or {}
        table.insert(served[buffer], client)
      end
    end
  end
  for buffer, clients in vim.spairs(served) do
    if #clients > 1 then
      local names, other = {}, 'agentmd'
      for _, client in ipairs(clients) do
        names[#names + 1] = ('`%s` (id %d)'):format(client.name, client.id)
        other = client.name ~= 'agentmd' and client.name or other
      end
      health.warn(('%d servers of agentmd serve `%s`: %s'):format(#names, vim.api.nvim_buf_get_name(buffer), table.concat(names, ', ')), {
        'Keep one: another plugin or configuration starts it too',
        ('For example `vim.lsp.enable("%s", false)`'):format(other),
      })
    end
  end
end

local function check_filetypes()
  local types = vim.lsp.config.agentmd and vim.lsp.config.agentmd.filetypes
  if not types then
    return
  end
  health.ok('file types: ' .. table.concat(types, ', '))
  for _, name in ipairs { 'a.md', 'a.mdc', 'a.llmd' } do
    local found = vim.filetype.match { filename = name }
    if not vim.list_contains(types, found) then
      health.warn(('`*%s` has the file type `%s`, which agentmd is not started for'):format(name:sub(2), found or ''), {
        'Something in your configuration changes it; add the type to `filetypes` in `setup`',
      })
    end
  end
end

--- Parsers only affect colours: findings and everything else come from the server.
local function check_parsers()
  local missing = {}
  for _, name in ipairs { 'markdown', 'markdown_inline', 'yaml', 'gotmpl' } do
    if not vim.treesitter.language.add(name) then
      missing[#missing + 1] = name
    end
  end
  if #missing == 0 then
    health.ok 'tree-sitter parsers: markdown, markdown_inline, yaml, gotmpl'
  else
    health.info(('no tree-sitter parser for %s; the server highlights front matter and templates'):format(table.concat(missing, ', ')))
  end
end

--- The folder to search settings from, which is that of the file shown before the report.
---@return string
local function folder()
  local buffer = vim.fn.bufnr('#')
  local name = buffer > 0 and vim.api.nvim_buf_get_name(buffer) or ''
  return name ~= '' and vim.fs.dirname(name) or vim.fn.getcwd()
end

local function check_settings()
  local from = folder()
  local file = vim.fs.find('agentmd.toml', { path = from, upward = true, type = 'file' })[1]
  if file then
    health.ok('settings: `' .. file .. '`')
  else
    health.info(('no `agentmd.toml` in `%s` or above; the settings of `setup` or the defaults apply'):format(from))
  end
end

function M.check()
  health.start('agentmd')
  if not check_neovim() then
    return
  end
  local command = vim.lsp.config.agentmd and vim.lsp.config.agentmd.cmd
  if type(command) == 'table' then
    check_binary(command)
  elseif command then
    health.info('the server is started by a function')
  else
    health.error('missing configuration `agentmd`', { 'Is `editors/nvim` on the runtime path? See `:help agentmd-install`' })
  end
  check_clients()
  check_twice()
  check_filetypes()
  check_parsers()
  check_settings()
end

return M
