-- Tests agentmd in a real Neovim. This Neovim (`nvim --clean -l nvim.lua SERVER PLUGIN EXAMPLES [NAME…]`) starts another one for
-- every test, types keys into it, and reads its screen.
-- Every test is a function in `tests`, which gets an editor whose folder contains a copy of EXAMPLES and the test's own files.

local server, plugin, examples = unpack(arg, 1, 3)
local only = vim.list_slice(arg, 4)
local PATIENCE = 20000 -- ms: a debug build on a busy machine

---@class Editor
---@field channel integer
---@field root string
local Editor = {}
Editor.__index = Editor

local function copy(from, to)
  vim.fn.mkdir(to, 'p')
  for name, kind in vim.fs.dir(from) do
    if kind == 'directory' then
      copy(from .. '/' .. name, to .. '/' .. name)
    else
      assert(vim.uv.fs_copyfile(from .. '/' .. name, to .. '/' .. name))
    end
  end
end

---@param files table<string, string>? path to content, in addition to the examples
---@param init string? Lua to run in place of a user's init.lua
function Editor.start(files, init)
  local root = vim.fn.tempname()
  vim.fn.mkdir(root .. '/.git', 'p')
  copy(examples, root .. '/examples')
  for path, content in pairs(files or {}) do
    vim.fn.mkdir(vim.fs.dirname(root .. '/' .. path), 'p')
    local file = assert(io.open(root .. '/' .. path, 'wb'))
    file:write(content)
    file:close()
  end
  local settings = 'set lines=40 columns=160 noswapfile updatetime=100 completeopt=menuone,noselect,popup rtp^=' .. vim.fn.escape(plugin, ' ,\\')
  local command = { vim.v.progpath, '--embed', '--headless', '--clean', '-n', '--cmd', settings, '--cmd', 'lua ' .. (init or 'do end') }
  local environment = {
    PATH = vim.fs.dirname(server) .. ':' .. vim.env.PATH,
    XDG_STATE_HOME = root .. '/.state',
    XDG_CACHE_HOME = root .. '/.cache',
    NVIM_LOG_FILE = root .. '/.nvim.log',
  }
  local self = setmetatable({ root = root }, Editor)
  self.channel = vim.fn.jobstart(command, { rpc = true, cwd = root, env = environment })
  assert(self.channel > 0, 'Neovim does not start')
  return self
end

function Editor:stop()
  pcall(vim.rpcnotify, self.channel, 'nvim_command', 'qall!')
  vim.fn.jobwait({ self.channel }, 5000)
  vim.fn.jobstop(self.channel)
  vim.fn.delete(self.root, 'rf')
end

--- Runs Lua in the editor.
function Editor:lua(code, ...)
  local value = vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
  if value == vim.NIL then
    return nil
  end
  return value
end

--- Types keys in the notation of `:help key-notation`.
function Editor:type(keys)
  vim.rpcrequest(self.channel, 'nvim_input', keys)
end

--- Waits until `probe` returns something other than nil or false, and returns that.
---@param what string
function Editor:wait(what, probe)
  local value
  local done = vim.wait(PATIENCE, function()
    value = probe()
    return value ~= nil and value ~= false
  end, 5)
  if not done then
    error(('timed out waiting for %s'):format(what), 0)
  end
  return value
end

function Editor:open(path)
  self:lua('vim.cmd.edit(vim.fn.fnameescape(...))', self.root .. '/' .. path)
  self:wait('the server', function()
    return self:lua [[
      local client = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
      return client and client.initialized
    ]]
  end)
end

--- The rows of the screen, each a list of cells with text and attributes. The right half of a wide character is empty.
function Editor:cells()
  return self:lua [[
    -- A redraw would remove a prompt from the screen.
    if not vim.api.nvim_get_mode().mode:find('^[cr]') then
      vim.cmd.redraw()
    end
    local rows = {}
    for row = 1, vim.o.lines do
      rows[row] = {}
      for column = 1, vim.o.columns do
        -- Floating windows and prompts have their own grids, above the one whose attributes can be queried.
        local text = vim.fn.screenstring(row, column)
        local cell = vim.api.nvim__inspect_cell(1, row - 1, column - 1)
        local look = cell[1] == text and cell[2] or {}
        rows[row][column] = { text, (look.undercurl or look.underline) and true or false, look.foreground or 0 }
      end
    end
    return rows
  ]]
end

--- The screen as text, with `~` under underlined characters.
function Editor:screen()
  local lines = {}
  for _, cells in ipairs(self:cells()) do
    local text, below = {}, {}
    for column, cell in ipairs(cells) do
      text[column] = cell[1]
      below[column] = cell[2] and '~' or ' '
    end
    lines[#lines + 1] = (table.concat(text):gsub('%s+$', ''))
    local marks = table.concat(below):gsub('%s+$', '')
    if marks ~= '' then
      lines[#lines + 1] = marks
    end
  end
  return table.concat(lines, '\n')
end

--- The underlined pieces of text on the screen, from top to bottom.
function Editor:underlined()
  local found = {}
  for _, cells in ipairs(self:cells()) do
    local run
    for _, cell in ipairs(cells) do
      if cell[2] then
        run = (run or '') .. cell[1]
      elseif run then
        found[#found + 1] = run
        run = nil
      end
    end
    found[#found + 1] = run
  end
  return found
end

function Editor:sees(text)
  return self:wait(('`%s` on the screen'):format(text), function()
    return self:screen():find(text, 1, true)
  end)
end

function Editor:sees_underlined(...)
  local wanted = { ... }
  local ok, problem = pcall(self.wait, self, 'underlines', function()
    return vim.deep_equal(self:underlined(), wanted)
  end)
  if not ok then
    error(('%s\nwanted: %s\nfound:  %s'):format(problem, vim.inspect(wanted), vim.inspect(self:underlined())), 0)
  end
end

--- Puts the cursor on the start of the first occurrence of `text`.
function Editor:go(text)
  local found = self:lua([[return vim.fn.search('\\V' .. vim.fn.escape(..., '\\'), 'cw') > 0]], text)
  assert(found, ('`%s` is not in the buffer'):format(text))
end

function Editor:text()
  return self:lua [[return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n']]
end

function Editor:line()
  return self:lua 'return vim.api.nvim_get_current_line()'
end

--- Waits until the line under the cursor is `wanted`.
function Editor:has_line(wanted)
  local ok, problem = pcall(self.wait, self, 'the line', function()
    return self:line() == wanted
  end)
  if not ok then
    error(('%s\nwanted: %s\nfound:  %s'):format(problem, wanted, self:line()), 0)
  end
end

--- Presses `gra` and picks the action whose title contains `title` from the list.
function Editor:act(title)
  self:wait('findings', function()
    return self:lua 'return #vim.diagnostic.get(0, { lnum = vim.fn.line(".") - 1 }) > 0'
  end)
  self:type 'gra'
  local number = self:wait(('the action `%s`'):format(title), function()
    for row in vim.gsplit(self:screen(), '\n') do
      local found, rest = row:match '^(%d+): (.*)$'
      if found and rest:find(title, 1, true) then
        return found
      end
    end
  end)
  self:type(number .. '<CR>')
end

--- Waits for a floating window and returns its lines.
function Editor:float()
  return self:wait('a floating window', function()
    return self:lua [[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
          return table.concat(lines, '\n')
        end
      end
    ]]
  end)
end

--- Waits for a completion menu that contains `label`, and returns its labels.
function Editor:menu(label)
  return self:wait(('a menu with `%s`'):format(label), function()
    local labels = self:lua [[
      local info = vim.fn.complete_info { 'pum_visible', 'items' }
      if info.pum_visible == 0 then
        return nil
      end
      return vim.tbl_map(function(item) return item.abbr ~= '' and item.abbr or item.word end, info.items)
    ]]
    return labels and vim.tbl_contains(labels, label) and labels
  end)
end

--- Accepts a label in the menu.
function Editor:pick(labels, label)
  for index, other in ipairs(labels) do
    if other == label then
      self:type(('<C-n>'):rep(index) .. '<C-y>')
      return
    end
  end
end

--- Opens completion and accepts `label`.
function Editor:complete(label)
  self:type '<C-x><C-o>'
  self:pick(self:menu(label), label)
end

local function is(found, wanted, what)
  if not vim.deep_equal(found, wanted) then
    error(('%s\nwanted: %s\nfound:  %s'):format(what or 'unequal', vim.inspect(wanted), vim.inspect(found)), 0)
  end
end

local function holds(text, part)
  if not text:find(part, 1, true) then
    error(('`%s` is not in:\n%s'):format(part, text), 0)
  end
end

local function absent(text, part)
  if text:find(part, 1, true) then
    error(('`%s` is in:\n%s'):format(part, text), 0)
  end
end

local tests, names = {}, {}
---@param name string
---@param setup table? `files`, `init`
---@param run fun(editor: Editor)
local function test(name, setup, run)
  names[#names + 1] = name
  tests[name] = { setup, run }
end

local SKILL = 'examples/skills/release-notes/SKILL.md'
local REPORT = 'examples/programs/weekly-report.md'
local TRIAGE = 'examples/programs/triage-inbox.md'

local PROGRAM = [[
---
name: greet
description: Greets people
input: { type: object, properties: { who: { type: string } }, required: [who] }
output: { type: object, properties: { text: { type: string } } }
%s---

Greet {{ .who }}.
]]

local function program(keys)
  return PROGRAM:format(keys)
end

test('an unquoted colon is underlined, explained, and fixed with a key', {}, function(editor)
  editor:lua 'vim.diagnostic.config { virtual_text = true }'
  editor:open(SKILL)
  local value = 'Use when: somebody asks for release notes, or a version is about to be tagged'
  editor:sees_underlined(value)
  editor:sees 'which YAML reads as a new key'
  local finding = editor:lua 'return vim.diagnostic.get(0)[1]'
  is({ finding.lnum, finding.col, finding.end_lnum, finding.end_col }, { 2, 13, 2, 13 + #value }, 'the place of the finding')
  is({ finding.code, finding.source }, { 'agent/front-matter', 'agentmd' })
  editor:go 'somebody'
  editor:type '<C-w>d'
  holds(editor:float(), 'quote the value')
  editor:act 'Quote the value'
  editor:has_line(('description: "%s"'):format(value))
  editor:sees_underlined()
  editor:type 'u'
  editor:has_line('description: ' .. value)
  editor:sees_underlined(value)
end)

test('every mistake in a program is underlined in its place', {}, function(editor)
  editor:open(REPORT)
  editor:wait('all findings', function()
    local texts = editor:underlined()
    return vim.tbl_contains(texts, 'classify-ticket.md') and #texts >= 3
  end)
  local codes = editor:lua [[
    local found = {}
    for _, finding in ipairs(vim.diagnostic.get(0)) do
      local line = vim.api.nvim_buf_get_lines(0, finding.lnum, finding.lnum + 1, false)[1]
      found[finding.code] = line:sub(finding.col + 1, finding.end_col)
    end
    return found
  ]]
  is(codes['markdownlang/missing-field'], 'descripton')
  is(codes['markdownlang/yaml-syntax'], 'Use when: a week of tickets has to fit on one page')
  is(codes['markdownlang/bare-import'], 'classify-ticket.md')
  editor:go 'descripton'
  editor:act 'Rename to `description`'
  editor:has_line 'description: Use when: a week of tickets has to fit on one page'
  editor:go 'Use when'
  editor:act 'Quote the value'
  editor:has_line 'description: "Use when: a week of tickets has to fit on one page"'
  editor:go 'classify-ticket.md'
  editor:act 'Replace with `./classify-ticket.md`'
  editor:has_line '  - ./classify-ticket.md'
  editor:wait('the findings to go', function()
    return not vim.iter(editor:underlined()):any(function(text)
      return text:find('week of', 1, true) or text == 'classify-ticket.md' or text == 'descripton'
    end)
  end)
end)

test('all safe fixes at once', {}, function(editor)
  editor:open(REPORT)
  editor:go 'Use when'
  editor:act 'Fix everything'
  editor:wait('the edits', function()
    local text = editor:text()
    return text:find('"Use when: a week', 1, true) and text:find('- ./classify-ticket.md', 1, true)
  end)
end)

-- Bytes, characters and columns all differ here: an emoji outside the BMP, wide and combining characters.
local WIDE = '🦆日本e\204\129é👩‍🚀'

test('columns are right after emoji, wide and combining characters', {
  files = { ['wide.md'] = program(('mcp_servers:\n  - { name: files, command: npx, args: ["%s"], disbled: true }\n'):format(WIDE)) },
}, function(editor)
  editor:open 'wide.md'
  editor:sees_underlined 'disbled'
  editor:go 'disbled'
  editor:act '`disabled`'
  editor:has_line(('  - { name: files, command: npx, args: ["%s"], disabled: true }'):format(WIDE))
  editor:sees_underlined()
end)

test('typing after wide characters moves the underline along', {
  files = { ['wide.md'] = program(('mcp_servers:\n  - { name: files, command: npx, args: ["%s"], disbled: true }\n'):format(WIDE)) },
}, function(editor)
  editor:open 'wide.md'
  editor:sees_underlined 'disbled'
  editor:go '"], disbled'
  editor:type('i🦀x' .. WIDE .. '<Esc>')
  editor:sees_underlined 'disbled'
  editor:go 'disbled'
  editor:type 'x'
  editor:sees_underlined 'isbled'
  editor:type 'u'
  editor:sees_underlined 'disbled'
  editor:go '🦀'
  editor:type 'x'
  editor:sees_underlined 'disbled'
  editor:go 'disbled'
  editor:act '`disabled`'
  editor:has_line(('  - { name: files, command: npx, args: ["%sx%s"], disabled: true }'):format(WIDE, WIDE))
end)

test('a file with carriage returns is fixed in place', {
  files = { ['dos.md'] = (program('modle: gpt-4o\n'):gsub('\n', '\r\n')) },
}, function(editor)
  editor:open 'dos.md'
  is(editor:lua 'return vim.bo.fileformat', 'dos')
  editor:sees_underlined 'modle'
  editor:go 'modle'
  editor:act '`model`'
  editor:has_line 'model: gpt-4o'
  editor:type ':write<CR>'
  editor:wait('the file', function()
    local file = assert(io.open(editor.root .. '/dos.md', 'rb'))
    local text = file:read 'a'
    file:close()
    return text == (program('model: gpt-4o\n'):gsub('\n', '\r\n'))
  end)
end)

test('a missing field is inserted', {
  files = { ['new.md'] = '---\nname: greet\ninput: { type: object }\noutput: { type: object }\n---\n\nGreet.\n' },
}, function(editor)
  editor:open 'new.md'
  editor:wait('the finding', function()
    return editor:lua [[return vim.iter(vim.diagnostic.get(0)):any(function(it) return it.code == 'markdownlang/missing-field' end)]]
  end)
  editor:lua [[
    for _, finding in ipairs(vim.diagnostic.get(0)) do
      if finding.code == 'markdownlang/missing-field' then
        vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
      end
    end
  ]]
  editor:act 'description'
  editor:wait('the field', function()
    return editor:text():find('\ndescription:', 1, true)
  end)
end)

test('the agent files of a folder are listed, as each client sees them', {
  files = {
    ['.claude/skills/tea/SKILL.md'] = '---\nname: tea\ndescription: Brews tea when somebody is thirsty\n---\n\nBoil water.\n',
    ['notes.md'] = '# Notes\n',
  },
}, function(editor)
  editor:open 'notes.md'
  editor:type ':AgentmdFiles<CR>'
  editor:sees 'Claude Code: skill tea, loaded, ~'
  editor:type '<CR>'
  editor:sees 'Boil water.'
end)

test('findings follow the keys', { files = { ['notes.md'] = '---\nname: notes\n---\n\nText.\n' } }, function(editor)
  editor:open 'notes.md'
  editor:go 'name'
  editor:type 'otitle: one: two<Esc>'
  editor:sees_underlined 'one: two'
  editor:go 'one'
  editor:type 'i"<Esc>A"<Esc>'
  editor:has_line 'title: "one: two"'
  editor:sees_underlined()
end)

test('an import is missing until its file is written', {
  files = { ['main.md'] = program 'imports:\n  - ./later.md\n' },
}, function(editor)
  editor:open 'main.md'
  editor:sees_underlined './later.md'
  editor:type ':edit later.md<CR>'
  editor:lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(..., "\\n"))', (program(''):gsub('name: greet', 'name: later')))
  editor:type ':write<CR>:edit main.md<CR>'
  editor:sees_underlined()
end)

test('an import leads to its file', {}, function(editor)
  editor:open(TRIAGE)
  editor:go 'classify-ticket.md'
  editor:type '<C-]>'
  editor:wait('the helper', function()
    return editor:lua 'return vim.fs.basename(vim.api.nvim_buf_get_name(0))' == 'classify-ticket.md'
  end)
  editor:sees 'Finds the area and the urgency'
  editor:type '<C-t>'
  editor:wait('the way back', function()
    return editor:lua 'return vim.fs.basename(vim.api.nvim_buf_get_name(0))' == 'triage-inbox.md'
  end)
end)

test('a link leads to its heading, even after wide characters', {
  files = { ['a.md'] = ('# A\n\n%s [there](b.md#second-part)\n'):format(WIDE), ['b.md'] = '# B\n\nText.\n\n## Second part\n\nHere.\n' },
}, function(editor)
  editor:open 'a.md'
  editor:go '[there'
  editor:type 'K'
  holds(editor:float(), 'Second part')
  editor:type '<C-]>'
  editor:wait('the heading', function()
    return editor:line() == '## Second part'
  end)
end)

test('paths and headings are completed in links', {
  files = { ['a.md'] = ('# A\n\n%s \n'):format(WIDE), ['a folder/b c.md'] = '# B\n\n## Second part\n' },
}, function(editor)
  editor:open 'a.md'
  editor:go(WIDE)
  editor:type 'A[x](a'
  editor:complete 'a%20folder/'
  editor:complete 'b%20c.md'
  editor:type '#sec'
  editor:complete 'second-part'
  editor:type ')<Esc>'
  editor:has_line(WIDE .. ' [x](a%20folder/b%20c.md#second-part)')
end)

-- The code in `:help agentmd-use` for completion while typing.
local TYPING = [[
  vim.api.nvim_create_autocmd('LspAttach', { callback = function(event)
    vim.lsp.completion.enable(true, event.data.client_id, event.buf, { autotrigger = true })
  end })
]]

test('a partial key is completed', { files = { ['new.md'] = '---\nname: greet\ninput: {}\n\n---\n\nText.\n' } }, function(editor)
  editor:open 'new.md'
  editor:type '4Gides'
  editor:complete 'description'
  editor:wait('the key', function()
    return vim.startswith(editor:line(), 'description')
  end)
  holds(editor:text(), 'input: {}\ndescription')
end)

test('a key is found after the indentation copied from the line above', {
  init = TYPING,
  files = { ['new.md'] = '---\nname: greet\ndescription: Greets\ninput:\n  type: object\n  required: []\n---\n\nText.\n' },
}, function(editor)
  editor:open 'new.md'
  editor:go 'required'
  editor:type 'ooutp'
  editor:has_line '  outp'
  editor:complete 'output'
  editor:wait('the key at the margin', function()
    return editor:text():find('required: []\noutput:\n  type: object', 1, true)
  end)
end)

test('a program is written from scratch', { init = TYPING, files = { ['new.md'] = '' } }, function(editor)
  editor:open 'new.md'
  editor:type 'i---<CR>na'
  editor:complete 'name'
  editor:wait('the placeholder', function()
    return vim.startswith(editor:line(), 'name: ') and editor:lua 'return vim.snippet.active()'
  end)
  editor:type 'greet<Esc>'
  editor:has_line 'name: greet'
  editor:type 'oout'
  editor:complete 'output'
  editor:wait('a schema', function()
    return editor:text():find('output:\n  type: object\n  properties:\n', 1, true)
  end)
  editor:type '<Esc>Go---<Esc>'
  editor:wait('the front matter to be read', function()
    return vim.iter(editor:lua 'return vim.diagnostic.get(0)'):any(function(finding)
      return finding.code == 'markdownlang/missing-field'
    end)
  end)
end)

test('the menu appears while a path is typed', { init = TYPING }, function(editor)
  editor:open(TRIAGE)
  editor:go 'imports'
  editor:type 'o  - ./'
  local labels = editor:menu 'weekly-report.md'
  assert(not vim.tbl_contains(labels, 'triage-inbox.md'), 'a program is offered to itself')
  editor:pick(labels, 'weekly-report.md')
  editor:type '<Esc>'
  editor:has_line '  - ./weekly-report.md'
end)

test('a keyword is completed after wide characters', {
  files = { ['wide.md'] = program '' },
}, function(editor)
  editor:open 'wide.md'
  editor:go 'input'
  editor:type(('ccinput: { properties: { "%s": { ty'):format(WIDE))
  editor:complete 'type'
  editor:wait('the keyword', function()
    return editor:line():find(('{ "%s": { type'):format(WIDE), 1, true)
  end)
  is(editor:line():sub(1, 23), 'input: { properties: { ')
end)

test('hover explains keys and imports', {}, function(editor)
  editor:open(TRIAGE)
  editor:go 'description'
  editor:type 'K'
  holds(editor:float(), 'description')
  editor:lua 'vim.cmd.fclose { bang = true }'
  editor:go './classify-ticket.md'
  editor:type 'K'
  editor:sees 'Finds the area and the urgency of one support ticket'
  holds(editor:float(), 'urgent')
end)

local TYPED = [[
---
name: greet
description: Greets people
input:
  type: object
  properties:
    user:
      type: object
      properties:
        first_name: { type: string, description: What friends say }
        last_name: { type: string }
      required: [first_name]
    items: { type: array, items: { type: string } }
  required: [user, items]
output: { type: object, properties: { text: { type: string } }, required: [text] }
---

日本 {{ .user.first_name }}
{{ range $item := .items }}{{ $item }}{{ end }}

]]

test('a nested field is completed, and its action is closed', { files = { ['typed.md'] = TYPED } }, function(editor)
  editor:open 'typed.md'
  editor:lua [[
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
    vim.lsp.completion.enable(true, client.id, 0)
  ]]
  editor:type 'Go🦆 {{ .user.'
  editor:complete 'last_name'
  editor:type '<Esc>'
  editor:has_line '🦆 {{ .user.last_name }}'
end)

test('hover on a field shows its schema', { files = { ['typed.md'] = TYPED } }, function(editor)
  editor:open 'typed.md'
  editor:go 'first_name }}'
  editor:type 'K'
  local page = editor:float()
  holds(page, 'first_name')
  holds(page, 'What friends say')
end)

test('renaming a skill updates an agent, a command and a plugin manifest', {
  files = {
    ['.claude/skills/brew-tea/SKILL.md'] = '---\nname: brew-tea\ndescription: Brews tea\n---\n\nBrew it.\n',
    ['.claude/agents/cook.md'] = '---\nname: cook\ndescription: 日本 🦆\nskills: [brew-tea]\n---\n\nUse `/brew-tea`.\n',
    ['.claude/commands/dinner.md'] = 'Run /brew-tea with [it](../skills/brew-tea/SKILL.md).\n',
    ['.claude-plugin/plugin.json'] = '{"name": "kitchen", "skills": ["./.claude/skills/brew-tea"]}\n',
  },
}, function(editor)
  editor:open '.claude/agents/cook.md'
  editor:go 'brew-tea]'
  editor:type 'grn'
  editor:sees 'New Name: brew-tea'
  editor:type '<C-u>make-tea<CR>'
  editor:has_line 'skills: [make-tea]'
  local skill = editor.root .. '/.claude/skills/make-tea/SKILL.md'
  editor:wait('the folder', function()
    return editor:lua('return vim.uv.fs_stat(...) ~= nil', skill)
  end)
  editor:lua 'vim.cmd.wall { bang = true }'
  local function read(path)
    local file = assert(io.open(editor.root .. '/' .. path, 'rb'))
    local text = file:read '*a'
    file:close()
    return text
  end
  holds(read '.claude/agents/cook.md', 'Use `/make-tea`.')
  is(read '.claude/commands/dinner.md', 'Run /make-tea with [it](../skills/make-tea/SKILL.md).\n')
  is(read '.claude-plugin/plugin.json', '{"name": "kitchen", "skills": ["./.claude/skills/make-tea"]}\n')
  holds(read '.claude/skills/make-tea/SKILL.md', 'name: make-tea')
  is(editor:lua('return vim.uv.fs_stat(...)', editor.root .. '/.claude/skills/brew-tea'), nil)
end)

test('a property is renamed in the schema and in the body', { files = { ['typed.md'] = TYPED } }, function(editor)
  editor:open 'typed.md'
  editor:go 'first_name }}'
  editor:lua 'vim.lsp.buf.rename("given_name")'
  editor:wait('the new name in the body', function()
    return editor:text():find('日本 {{ .user.given_name }}', 1, true)
  end)
  holds(editor:text(), 'given_name: { type: string')
  holds(editor:text(), 'required: [given_name]')
  absent(editor:text(), 'first_name')
  editor:type 'u'
  editor:wait('the old name', function()
    return editor:text() == TYPED
  end)
end)

test('the type of a variable is shown next to it', { files = { ['typed.md'] = TYPED } }, function(editor)
  editor:open 'typed.md'
  editor:lua 'vim.lsp.inlay_hint.enable(true)'
  editor:sees '{{ range $item: string := .items }}'
end)

test('the outline', {}, function(editor)
  editor:open(TRIAGE)
  editor:type 'gO'
  editor:sees 'What to do'
  local titles = editor:wait('the outline', function()
    local texts = editor:lua 'return vim.tbl_map(function(item) return item.text end, vim.fn.getloclist(0))'
    return #texts > 0 and table.concat(texts, '\n')
  end)
  holds(titles, 'Triage for {{ .team }}')
  editor:go 'What to do'
  editor:type '<CR>'
  editor:has_line '## What to do'
end)

test('sections and front matter fold', {}, function(editor)
  editor:open(TRIAGE)
  editor:lua [[
    vim.wo.foldmethod = 'expr'
    vim.wo.foldexpr = 'v:lua.vim.lsp.foldexpr()'
    vim.wo.foldtext = 'getline(v:foldstart) .. " …" .. (v:foldend - v:foldstart)'
  ]]
  editor:wait('folds', function()
    return editor:lua 'return vim.fn.foldlevel(1) > 0'
  end)
  editor:type 'zM'
  editor:wait('two lines', function()
    local rows = vim.split(editor:screen(), '\n')
    return rows[1]:find('--- …', 1, true) and rows[2] == '' and rows[3]:find('# Triage for {{ .team }} …', 1, true)
  end)
  editor:type 'zR:call search("What to do")<CR>zz'
  editor:sees 'Call `classify-ticket` for every ticket.'
end)

test('headings of the whole workspace', {}, function(editor)
  editor:open(SKILL)
  local found = editor:wait('symbols', function()
    editor:lua [[vim.fn.setqflist({}, 'r'); vim.lsp.buf.workspace_symbol('classify one')]]
    vim.wait(200)
    local list = editor:lua [[return vim.tbl_map(function(item)
      return { vim.fs.basename(vim.api.nvim_buf_get_name(item.bufnr)), item.lnum, item.col, item.text }
    end, vim.fn.getqflist())]]
    return #list > 0 and list
  end)
  is(vim.list_slice(found[1], 1, 2), { 'classify-ticket.md', 18 })
  holds(found[1][4], 'Classify one ticket')
end)

test('headings are coloured', {}, function(editor)
  editor:open(SKILL)
  editor:lua 'vim.treesitter.stop(0); vim.cmd.syntax("off"); vim.api.nvim_set_hl(0, "@lsp.type.class.markdown", { fg = 0x123456 })'
  editor:wait('the colour', function()
    for _, cells in ipairs(editor:cells()) do
      local coloured = ''
      for _, cell in ipairs(cells) do
        coloured = coloured .. (cell[3] == 0x123456 and cell[1] or '')
      end
      if coloured ~= '' then
        return coloured == 'Release notes'
      end
    end
  end)
end)

test('other files for agents are Markdown', {
  files = { ['rule.mdc'] = '---\ndescription: a: b\n---\n', ['talk.llmd'] = '# A\n', ['talk.ll.md'] = '# A\n' },
}, function(editor)
  editor:open 'talk.llmd'
  editor:open 'talk.ll.md'
  editor:open 'rule.mdc'
  is(editor:lua 'return vim.bo.filetype', 'markdown')
  -- Cursor doesn't parse this as YAML, so it's fine.
  is(editor:lua "return #vim.lsp.get_clients { bufnr = 0, name = 'agentmd' }", 1)
  editor:sees_underlined()
end)

test('setup changes command and settings', {
  init = ([[
    require('agentmd').setup { cmd = { %q, 'server' }, settings = { ignore = { 'markdown/front-matter' } } }
    vim.api.nvim_create_autocmd('DiagnosticChanged', { callback = function(event)
      flashed = flashed or #event.data.diagnostics > 0
    end })
  ]]):format(server),
  files = { ['a.md'] = '---\na: b: c\n---\n', ['own/agentmd.toml'] = '', ['own/a.md'] = '---\na: b: c\n---\n' },
}, function(editor)
  is(editor:lua 'return vim.lsp.config.agentmd.cmd[1]', server)
  editor:open 'a.md'
  vim.wait(300)
  editor:sees_underlined()
  assert(not editor:lua 'return flashed', 'an ignored finding was shown for a moment')
  -- The file takes precedence for everything in and below its folder.
  editor:open 'own/a.md'
  editor:sees_underlined 'b: c'
end)

test('an empty table of settings is valid', { init = "require('agentmd').setup { settings = {} }" }, function(editor)
  editor:open(SKILL)
  editor:wait('the finding', function()
    return #editor:underlined() == 1
  end)
  is(editor:lua 'return vim.fn.execute("messages")', '')
end)

test('checkhealth', { files = { ['agentmd.toml'] = '' } }, function(editor)
  editor:open(SKILL)
  editor:type ':checkhealth agentmd<CR>'
  editor:sees 'agentmd:'
  local report = editor:wait('the report', function()
    local text = editor:text()
    return editor:lua 'return vim.bo.filetype' == 'checkhealth' and text:find('agentmd.toml', 1, true) and text
  end)
  holds(report, 'OK Neovim 0.')
  holds(report, 'OK agentmd 0.')
  holds(report, server)
  holds(report, 'attached to 1 buffer, positions in utf-8')
  holds(report, editor.root .. '/agentmd.toml')
  absent(report, 'WARN')
  absent(report, 'ERROR')
end)

test('checkhealth reports a missing program', { init = "require('agentmd').setup { cmd = { 'no-such-agentmd', 'server' } }" }, function(editor)
  editor:type ':checkhealth agentmd<CR>'
  editor:sees 'no-such-agentmd cannot be found'
  editor:sees 'cargo install'
end)

test('help has its tags', {}, function(editor)
  editor:lua([[
    local copy = vim.fn.tempname()
    vim.fn.mkdir(copy .. '/doc', 'p')
    vim.uv.fs_copyfile(... .. '/doc/agentmd.txt', copy .. '/doc/agentmd.txt')
    vim.cmd.helptags(copy .. '/doc')
    vim.opt.runtimepath:prepend(copy)
  ]], plugin)
  editor:type ':help agentmd.setup()<CR>'
  editor:sees 'Changes how the server is started'
end)

test('a reply is applied: files are created and changed byte for byte', {
  files = {
    ['reply.md'] = table.concat({
      '[REASONING]', '日本 🦆', '',
      '[ACTION_0_TYPE] create_file', '[ACTION_0_PATH] new/deep/b.py', '[ACTION_0_CONTENT_START]', '# no heading', 'x = "🦆"', '', '[ACTION_0_CONTENT_END]', '',
      '[ACTION_1_TYPE] edit_file', '[ACTION_1_PATH] a.py', '[ACTION_1_CONTENT_START]', 'one', 'two', 'drei', '', '[ACTION_1_CONTENT_END]', '',
      '[ACTION_2_TYPE] run_command', '[ACTION_2_COMMAND] touch ran', '',
    }, '\n'),
    ['a.py'] = 'one\ntwo\n',
  },
}, function(editor)
  editor:open 'reply.md'
  editor:go '[ACTION_0_TYPE]'
  editor:lua [[vim.lsp.codelens.refresh { bufnr = 0 }]]
  editor:sees 'Create new/deep/b.py'
  editor:lua [[
    vim.lsp.buf.code_action { apply = true, filter = function(action) return action.title == 'Apply 2 changes in 2 files' end }
  ]]
  editor:wait('the edit', function()
    return editor:lua [[return vim.fn.bufnr('new/deep/b.py') > 0 and vim.fn.bufnr('a.py') > 0]]
  end)
  editor:type ':wall<CR>'
  local function text(path)
    local file = io.open(editor.root .. '/' .. path, 'rb')
    local found = file and file:read 'a'
    if file then
      file:close()
    end
    return found
  end
  editor:wait('the new file', function()
    return text 'new/deep/b.py' == '# no heading\nx = "🦆"\n'
  end)
  editor:wait('the changed file', function()
    return text 'a.py' == 'one\ntwo\ndrei\n'
  end)
  is(text 'ran', nil)
end)

test('an item of a context pack is refreshed from its file', {
  files = {
    ['pack.md'] = '# Prompt\n\n## Context\n\n### Code (from src/a b.rs:2-3)\n```lisp\nold 🦆\n```\n\n## Request\n\nGo.\n',
    ['src/a b.rs'] = 'one\ntwo\nthree\n',
  },
}, function(editor)
  editor:open 'pack.md'
  editor:sees_underlined 'src/a b.rs:2-3'
  editor:go 'src/a b.rs'
  editor:act 'Refresh from the file'
  editor:sees 'three'
  editor:wait('no finding', function()
    return #editor:lua 'return vim.diagnostic.get(0)' == 0
  end)
  is(editor:text(), '# Prompt\n\n## Context\n\n### Code (from src/a b.rs:2-3)\n```lisp\ntwo\nthree\n```\n\n## Request\n\nGo.\n')
  editor:lua [[vim.cmd.split(vim.fn.fnameescape('src/a b.rs'))]]
  editor:type ':1AgentmdAddToContext<CR>'
  editor:sees 'Added to the context pack'
  editor:type ':quit<CR>'
  editor:sees '### Code (from src/a b.rs:1-1)'
  holds(editor:text(), '```\n\n### Code (from src/a b.rs:1-1)\n```lisp\none\n```\n\n## Request')
end)

test('a selector is completed, followed, fixed and copied', {
  files = {
    ['guide.md'] = '# Guide\n\n## Setup\n\nRun it.\n\n## Use\n\nLong text.\n',
    ['notes.md'] = '# Notes\n\nRead `guide::heading:h2[5]` first.\n',
  },
}, function(editor)
  editor:open 'notes.md'
  editor:sees_underlined 'heading:h2[5]'
  editor:go 'heading:h2[5]'
  editor:act 'Write `guide::heading:h2[1]`'
  editor:has_line 'Read `guide::heading:h2[1]` first.'
  editor:go 'heading:h2[1]'
  editor:type 'K'
  local shown = editor:float()
  assert(shown:find('4 words', 1, true) and shown:find('Long text.', 1, true), shown)
  editor:type '<Esc>'
  editor:lua 'vim.lsp.buf.definition()'
  editor:wait('the heading', function()
    return editor:line() == '## Use'
  end)
  editor:lua [[
    vim.lsp.buf.code_action { apply = true, filter = function(action) return action.title:find('Copy selector', 1, true) end }
  ]]
  editor:wait('the copy', function()
    return editor:lua [[return vim.fn.getreg '"' == 'guide::heading:h2[1]']]
  end)
end)

test('a block is previewed, applied to another buffer, undone in one step, and updated when its target changes', {
  files = {
    ['reply.md'] = table.concat({
      'Here you are. 🦆', '',
      'notes.md', '<<<<<<< SEARCH', '- one', '- two', '=======', '- uno', '- two', '- three', '>>>>>>> REPLACE', '',
      'notes.md', '<<<<<<< SEARCH', 'The end.', '=======', 'Das Ende.', '>>>>>>> REPLACE', '',
    }, '\n'),
    ['notes.md'] = '# Notes\n\n- one\n- two\n\nThe end.\n',
  },
}, function(editor)
  editor:open 'notes.md'
  editor:open 'reply.md'
  local function lenses()
    return editor:lua [[
      local client = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
      local params = { textDocument = vim.lsp.util.make_text_document_params() }
      local answer = client:request_sync('textDocument/codeLens', params, 5000, 0)
      return vim.tbl_map(function(lens) return lens.command.title end, answer and answer.result or {})
    ]]
  end
  local function notes()
    return editor:lua [[return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('notes.md'), 0, -1, false), '\n')]]
  end
  editor:lua [[vim.lsp.codelens.refresh { bufnr = 0 }]]
  editor:sees 'Apply 2 changes to notes.md'
  editor:go '- uno'
  editor:type 'K'
  local shown = editor:float()
  holds(shown, '-- one')
  holds(shown, '+- three')
  editor:type '<Esc>'
  local before = notes()
  editor:lua [[
    vim.lsp.buf.code_action { apply = true, filter = function(action) return action.title == 'Apply 1 change to notes.md' end }
  ]]
  editor:wait('the block to be applied', function()
    return notes() == '# Notes\n\n- uno\n- two\n- three\n\nThe end.'
  end)
  editor:wait('the updated lens', function()
    return vim.deep_equal(lenses(), { 'Review 1 change', 'Already applied', 'Apply 1 change to notes.md' })
  end)
  editor:sees 'Already applied'
  -- Apply everything with the lens, and undo it in one step.
  -- The request makes Neovim send all changes to the server at once, which it would otherwise do in parts.
  editor:lua [[
    vim.cmd.buffer('notes.md')
    vim.cmd.undo()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
    local buffer = vim.api.nvim_get_current_buf()
    client:request_sync('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() }, 5000, buffer)
  ]]
  is(notes(), before, 'one step undoes the block')
  editor:lua [[vim.cmd.buffer('reply.md')]]
  editor:wait('the lens to offer it again', function()
    return vim.list_contains(lenses(), 'Apply 2 changes to notes.md')
  end)
  editor:lua [[
    vim.lsp.buf.code_action { apply = true, filter = function(action) return action.title == 'Apply 2 changes to notes.md' end }
  ]]
  editor:wait('both blocks', function()
    return notes() == '# Notes\n\n- uno\n- two\n- three\n\nDas Ende.'
  end)
  editor:lua [[vim.cmd.buffer('notes.md') vim.cmd.undo()]]
  is(notes(), before, 'one step undoes both')
  -- The target's current text counts, saved or not.
  editor:lua [[
    vim.api.nvim_buf_set_lines(vim.fn.bufnr('notes.md'), 5, 6, false, { 'The very end.' })
    vim.cmd.buffer('reply.md')
  ]]
  editor:wait('the lens to report no match', function()
    return table.concat(lenses(), '\n'):find('No match: nearest line 6', 1, true)
  end)
  editor:wait('the finding', function()
    return editor:lua [[
      return vim.iter(vim.diagnostic.get(0)):any(function(it) return it.code == 'edit/search-not-found' end)
    ]]
  end)
end)

local FENCES = table.concat({
  '---', 'name: greet', '---', '', '# For {{ .who }}', '', 'Dear **you** {{ .who }} and `{{ .raw }}`.', '',
  '```src/a.lua', 'local x', '```', '', '```python:src/b.c', 'int y;', '```', '', '```llmd', '# Inside', '```', '',
  '```lua title=a/b.c', 'local z', '```', '', '```no/such.language', 'plain', '```', '',
}, '\n')

--- The language at the first occurrence of each text.
local function languages(editor, texts)
  return editor:lua([[
    local parser = assert(vim.treesitter.get_parser(0, 'markdown'))
    parser:parse(true)
    local found = {}
    for _, text in ipairs(...) do
      vim.fn.cursor(1, 1)
      local row, column = unpack(vim.fn.searchpos('\\V' .. text, 'cW'))
      assert(row > 0, text)
      found[text] = parser:language_for_range({ row - 1, column - 1, row - 1, column }):lang()
    end
    return found
  ]], texts)
end

test('fences that name a file or a format, and actions, are read in their languages', {
  -- Neovim has no parser for templates, so one of its own replaces it: only the places where it's used matter.
  init = [[
    vim.treesitter.language.add('gotmpl', { path = vim.api.nvim_get_runtime_file('parser/vimdoc.*', false)[1], symbol_name = 'vimdoc' })
  ]],
  files = { ['fences.md'] = FENCES },
}, function(editor)
  editor:open 'fences.md'
  is(languages(editor, { 'For {{', 'you**', '{{ .who }} and', '{{ .raw', 'local x', 'int y', '# Inside', 'local z', 'plain' }), {
    ['For {{'] = 'gotmpl',
    ['you**'] = 'markdown_inline',
    ['{{ .who }} and'] = 'gotmpl',
    ['{{ .raw'] = 'markdown_inline',
    ['local x'] = 'lua',
    ['int y'] = 'c',
    ['# Inside'] = 'markdown',
    ['local z'] = 'lua',
    plain = 'markdown',
  })
end)

test('a missing parser causes no errors', { files = { ['fences.md'] = FENCES } }, function(editor)
  editor:open 'fences.md'
  is(languages(editor, { '{{ .who }} and', 'you**', 'int y' }), { ['{{ .who }} and'] = 'markdown_inline', ['you**'] = 'markdown_inline', ['int y'] = 'c' })
  editor:type 'Ax<Esc>'
  is(editor:lua 'return vim.fn.execute("messages")', '')
end)

test('an empty home with the one line from the documentation', {
  files = { ['SKILL.md'] = '---\nname: release-notes\ndescription: Use when: somebody asks for release notes\n---\n' },
}, function(editor)
  local root = editor.root
  vim.fn.mkdir(root .. '/home/.config/nvim', 'p')
  vim.fn.mkdir(root .. '/home/src/agentmd/editors', 'p')
  assert(vim.uv.fs_symlink(plugin, root .. '/home/src/agentmd/editors/nvim'))
  local page = table.concat(vim.fn.readfile(vim.fs.normalize(plugin .. '/../../docs/editors.md')), '\n')
  local line = assert(page:match '`(vim%.opt%.runtimepath[^`]*)` in `init%.lua`', 'the line is missing on the page')
  vim.fn.writefile({ line }, root .. '/home/.config/nvim/init.lua')
  editor:lua('vim.o.shell = "/bin/sh"')
  local report = editor:lua([[
    local environment = { HOME = ... .. '/home', PATH = vim.env.PATH, XDG_STATE_HOME = ... .. '/.state', TERM = 'dumb' }
    local probe = 'lua vim.wait(15000, function() return #vim.diagnostic.get(0) > 0 end, 20) '
      .. 'io.stdout:write(vim.diagnostic.get(0)[1].message, "\\n", vim.fn.exists(":AgentmdApply"), "\\n", vim.fn.execute("messages"))'
    local run = vim.system({ vim.v.progpath, '--headless', 'SKILL.md', '-c', probe, '-c', 'qall!' }, { cwd = ..., env = environment, clear_env = true, text = true })
    local done = run:wait(20000)
    return done.stdout .. done.stderr
  ]], root)
  holds(report, 'which YAML reads as a new key')
  holds(report, '\n2\n')
  absent(report, 'Error')
end)

test('a missing program is reported once, and nothing else happens', {
  init = "require('agentmd').setup { cmd = { 'no-such-agentmd', 'server' } }",
  files = { ['a.md'] = '# A\n', ['b.md'] = '# B\n' },
}, function(editor)
  editor:lua 'vim.cmd.edit("a.md") vim.cmd.edit("b.md") vim.cmd.edit("a.md")'
  editor:wait('the message', function()
    return editor:lua 'return vim.fn.execute("messages")':find('no-such-agentmd', 1, true)
  end)
  local said = editor:lua 'return vim.fn.execute("messages")'
  is(select(2, said:gsub('no%-such%-agentmd', '')), 1, said)
  holds(said, ':checkhealth agentmd')
  absent(said, 'stack traceback')
end)

test('a crashed server is restarted, but not forever', { files = { ['SKILL.md'] = '---\nname: notes\ndescription: Use when: asked\n---\n' } }, function(editor)
  editor:open 'SKILL.md'
  local last
  for round = 1, 4 do
    local process = editor:wait('a server', function()
      return editor:lua([[
        local client = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
        local child = vim.api.nvim_get_proc_children(vim.fn.getpid())[1]
        return client and client.initialized and child ~= ... and child
      ]], last)
    end)
    editor:sees_underlined 'Use when: asked'
    last = process
    vim.uv.kill(process, 'sigkill')
    editor:wait('the message', function()
      local said = editor:lua 'return vim.fn.execute("messages")'
      local again = select(2, said:gsub('was restarted', ''))
      return round < 4 and again == round or round == 4 and said:find('crashed 4 times', 1, true)
    end)
  end
  -- After this many messages, a prompt may wait for a key.
  editor:type '<CR>:AgentmdRestart<CR>'
  editor:sees_underlined 'Use when: asked'
end)

test('checkhealth reports two servers on one buffer, file types and parsers', {
  init = ([[
    vim.lsp.config('older', { cmd = { %q, 'server' }, filetypes = { 'markdown' } })
    vim.lsp.enable 'older'
    vim.api.nvim_create_autocmd('VimEnter', { callback = function() vim.filetype.add { extension = { mdc = 'cursor' } } end })
  ]]):format(server),
  files = { ['a.md'] = '# A\n' },
}, function(editor)
  editor:open 'a.md'
  editor:wait('both', function()
    return editor:lua 'return #vim.tbl_filter(function(client) return client.initialized end, vim.lsp.get_clients { bufnr = 0 }) == 2'
  end)
  editor:type ':checkhealth agentmd<CR>'
  local report = editor:wait('the report', function()
    local text = editor:text()
    return editor:lua 'return vim.bo.filetype' == 'checkhealth' and text:find('tree-sitter', 1, true) and text
  end)
  holds(report, 'WARNING 2 servers of agentmd serve')
  holds(report, 'vim.lsp.enable("older", false)')
  holds(report, '`agentmd` (id')
  holds(report, '`older` (id')
  holds(report, 'file types: markdown, markdown.mdx')
  holds(report, '`*.mdc` has the file type `cursor`, which agentmd is not started for')
  holds(report, 'no tree-sitter parser for yaml, gotmpl')
end)

test('a case is tested from its lens, and other YAML is ignored', {
  files = {
    ['count.md'] = '---\nname: count\ndescription: Counts\ninput: { type: object }\noutput: { type: object, properties: { n: { type: integer } }, required: [n] }\n---\n\nCount.\n',
    ['count.test.yaml'] = 'cases:\n  - name: refused\n    input: 3\n    expect: { error: the input does not match }\n  - name: new\n    expect: { at: { /n: 1 } }\n',
    ['other.yaml'] = 'a: 1\n',
  },
}, function(editor)
  editor:open 'count.test.yaml'
  local lenses = editor:wait('the lenses', function()
    editor:lua 'vim.lsp.codelens.refresh { bufnr = 0 }'
    local count = editor:lua 'return #vim.lsp.codelens.get(0)'
    return count > 0 and count
  end)
  assert(lenses == 3, lenses)
  editor:lua [[
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if not lens.command.arguments[1].case then
        vim.lsp.get_clients({ bufnr = 0 })[1]:exec_cmd(lens.command)
      end
    end
  ]]
  local found = editor:wait('the result', function()
    local all = editor:lua [[return vim.tbl_map(function(one) return one.lnum .. ' ' .. one.source .. ' ' .. one.message end, vim.diagnostic.get(0))]]
    return #all > 0 and all
  end)
  assert(#found == 1 and vim.startswith(found[1], '4 agentmd test new: '), vim.inspect(found))
  editor:type ':edit other.yaml<CR>'
  local attached = editor:wait('the other file', function()
    return editor:lua [[return vim.bo.filetype == 'yaml' and vim.fn.expand '%:t' == 'other.yaml' and 1 + #vim.lsp.get_clients { bufnr = 0 }]]
  end)
  assert(attached == 1, 'other.yaml has a server')
end)

test('the parameters of a function are shown while it is typed', { files = { ['typed.md'] = TYPED } }, function(editor)
  editor:open 'typed.md'
  editor:type 'Go🦆 {{ printf "%s" .<C-s>'
  holds(editor:float(), 'printf format: string, value…: any → string')
end)

test('references are listed, and the one under the cursor is marked', { files = { ['typed.md'] = TYPED } }, function(editor)
  editor:open 'typed.md'
  editor:go 'first_name }}'
  editor:lua 'vim.lsp.buf.document_highlight()'
  local marked = editor:wait('marks', function()
    local marks = editor:lua [[
      local space = vim.api.nvim_get_namespaces()['nvim.lsp.references']
      return space and vim.tbl_map(function(mark) return mark[2] + 1 end, vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {}))
    ]]
    return marks and #marks > 0 and marks
  end)
  is(marked, { 10, 12, 18 })
  editor:lua 'vim.lsp.buf.clear_references()'
  editor:type 'grr'
  local lines = editor:wait('the list', function()
    local found = editor:lua 'return vim.tbl_map(function(item) return item.lnum end, vim.fn.getqflist())'
    return #found > 0 and found
  end)
  is(lines, { 10, 12, 18 })
end)

test('the importers and the imports of a program', {}, function(editor)
  editor:open(TRIAGE)
  editor:go 'name: triage-inbox'
  local function calls(direction)
    editor:lua 'vim.fn.setqflist({}, "r")'
    editor:lua(('vim.lsp.buf.%s_calls()'):format(direction))
    return editor:wait(direction, function()
      local found = editor:lua 'return vim.tbl_map(function(item) return item.text end, vim.fn.getqflist())'
      return #found > 0 and table.concat(found, ' ')
    end)
  end
  holds(calls 'outgoing', 'classify-ticket')
  editor:lua 'vim.cmd.cclose()'
  editor:open 'examples/programs/classify-ticket.md'
  editor:go 'name: classify-ticket'
  holds(calls 'incoming', 'triage-inbox')
end)

test('a read-only file is read, and its fix stays in the buffer', {
  files = { ['locked.md'] = '---\nname: notes\ndescription: Use when: asked\n---\n' },
}, function(editor)
  editor:lua 'vim.uv.fs_chmod("locked.md", tonumber("444", 8))'
  editor:open 'locked.md'
  editor:lua 'vim.bo.readonly = true'
  editor:sees_underlined 'Use when: asked'
  editor:go 'Use when'
  editor:act 'Quote the value'
  editor:has_line 'description: "Use when: asked"'
  editor:type ':write<CR>'
  editor:sees "'readonly' option is set"
end)

test('the server ends with the editor', {}, function(editor)
  editor:open(SKILL)
  local process = editor:lua [[
    for _, process in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      return process
    end
  ]]
  assert(process and vim.uv.kill(process, 0) == 0, 'no server is running')
  pcall(editor.type, editor, ':qall<CR>')
  editor:wait('the server to end', function()
    -- If its parent doesn't wait for it, it stays in the process list as a zombie.
    local entry = io.open(('/proc/%d/stat'):format(process))
    local state = entry and entry:read('a'):match '%) (%u)'
    if entry then
      entry:close()
    end
    return state == 'Z' or vim.uv.kill(process, 0) ~= 0
  end)
end)

test('a program that is too old is reported', {
  init = [[
    vim.fn.writefile({ '#!/bin/sh', 'echo agentmd 0.0.9' }, 'old')
    vim.fn.setfperm('old', 'rwxr-xr-x')
    require('agentmd').setup { cmd = { vim.fn.fnamemodify('old', ':p'), 'server' } }
  ]],
}, function(editor)
  editor:type ':checkhealth agentmd<CR>'
  editor:sees 'agentmd 0.0.9'
  editor:sees 'is too old'
end)

local REPLY = '[REASONING]\nWhy.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.9\n[FOCUS] 0.9\n[STAMINA] 0.9\n\n'
  .. '[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] a.txt\n[ACTION_0_CONTENT_START]\nnew\n\n[ACTION_0_CONTENT_END]\n\n'
  .. '[ACTION_1_TYPE] edit_file\n[ACTION_1_PATH] b.txt\n[ACTION_1_CONTENT_START]\nnew\n\n[ACTION_1_CONTENT_END]\n\n'
  .. '[ACTION_2_TYPE] finish\n[ACTION_2_RESULT] Done\n'

test('AgentmdApply offers the edits at the cursor and in a range', { files = { ['reply.md'] = REPLY, ['a.txt'] = 'old\n', ['b.txt'] = 'old\n' } }, function(editor)
  editor:open 'reply.md'
  -- The names are also in the reply, but only rows of the list begin with a number.
  local function offered(name)
    return editor:wait('the action for ' .. name, function()
      for row in vim.gsplit(editor:screen(), '\n') do
        local found = row:match('^(%d+): .*' .. vim.pesc(name))
        if found then
          return found
        end
      end
    end)
  end
  editor:type ':%AgentmdApply<CR>'
  offered 'a.txt'
  offered 'b.txt'
  editor:type '<CR>'
  editor:go '[ACTION_1_TYPE]'
  editor:type ':AgentmdApply<CR>'
  local number = offered 'b.txt'
  editor:type(number .. '<CR>')
  editor:wait('the edit', function()
    return editor:lua [[
      local buffer = vim.fn.bufnr('b.txt')
      return buffer > 0 and vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] == 'new'
    ]]
  end)
  is(editor:lua [[return vim.fn.bufnr('a.txt')]], -1)
end)

local function block(name, before, after)
  return ('%s\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n\n'):format(name, before, after)
end

test('edits are reviewed one by one: compared, accepted, rejected, placed, applied', {
  files = {
    ['reply.md'] = 'Here you are. 🦆\n\n'
      .. block('notes.md', '- one', '- uno')
      .. block('notes.md', 'The end.', 'Das Ende.')
      .. block('twice.txt', 'same', 'other')
      .. block('notes.md', 'nowhere to be found', 'x'),
    ['notes.md'] = '# Notes\n\n- one\n- two\n\nThe end.\n',
    ['twice.txt'] = 'same\nmiddle\nsame\n',
  },
}, function(editor)
  local function list()
    return editor:lua [[return vim.tbl_map(function(item) return item.text end, vim.fn.getqflist())]]
  end
  local function buffer(name)
    return editor:lua([[
      local found = vim.fn.bufnr(...)
      return found > 0 and table.concat(vim.api.nvim_buf_get_lines(found, 0, -1, false), '\n') or ''
    ]], name)
  end
  local function sides()
    return editor:lua [[
      local found = {}
      for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
        if vim.wo[window].diff then
          table.insert(found, table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n'))
        end
      end
      return found
    ]]
  end
  local function compares(before, after)
    editor:wait('the comparison with ' .. after, function()
      local found = sides()
      return #found == 2 and found[1]:find(before, 1, true) and not found[1]:find(after, 1, true) and found[2]:find(after, 1, true)
    end)
  end
  editor:open 'reply.md'
  editor:type ':AgentmdReview<CR>'
  editor:wait('the list', function()
    return #list() == 4
  end)
  local rows = list()
  is(rows[1], 'Edit notes.md, line 3: open')
  is(rows[2], 'Edit notes.md, line 6: open')
  holds(rows[3], 'Edit twice.txt')
  holds(rows[3], 'choose a place')
  holds(rows[4], "can't be applied")
  editor:sees 'reply.md|4 info| Edit notes.md, line 3: open'
  -- In the list, Enter opens the comparison, in which keys decide and go on to the next edit.
  editor:type '<CR>'
  compares('- one', '- uno')
  editor:sees 'a accept'
  editor:type 'a'
  compares('The end.', 'Das Ende.')
  is(list()[1], 'Edit notes.md, line 3: accepted')
  editor:type 'r'
  compares('same', 'other')
  editor:type 'a'
  editor:sees 'where does it belong?'
  editor:sees '2: Line 3: same'
  editor:type '2<CR>'
  editor:wait('the summary', function()
    return editor:lua([[return vim.api.nvim_exec2('messages', { output = true }).output]]):find('everything is decided: 2 accepted, 1 rejected', 1, true)
  end)
  is(list()[3], 'Edit twice.txt, line 3: accepted')
  -- For the block without a match, the reason is shown.
  editor:type '<S-Tab>'
  editor:type '<S-Tab>'
  compares('- one', '- uno')
  is(buffer 'notes.md', '')
  editor:type 'A'
  editor:wait('the edits', function()
    return buffer('notes.md') == '# Notes\n\n- uno\n- two\n\nThe end.' and buffer('twice.txt') == 'same\nmiddle\nother'
  end)
  editor:wait('the updated list', function()
    return list()[1] == 'Edit notes.md: applied' and vim.startswith(list()[3], 'Edit twice.txt') and vim.endswith(list()[3], 'applied')
  end)
  -- The decision is kept, and can be undone.
  editor:type ':cclose<CR>:buffer reply.md<CR>:AgentmdReview<CR>'
  editor:wait('the list again', function()
    return (list()[2] or ''):find 'rejected'
  end)
  editor:type '2Gu'
  editor:wait('the decision to be gone', function()
    return (list()[2] or ''):find 'open'
  end)
  -- In another list, the keys are Neovim's own.
  editor:lua [[vim.fn.setqflist({}, ' ', { title = 'Other', items = { { filename = 'notes.md', lnum = 2, text = 'x' } } })]]
  editor:type 'gg<CR>'
  editor:wait('the other file', function()
    return editor:lua [[return vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'notes.md']]
  end)
end)

test('a review without edits, of a deleted file, and before it is started', {
  files = { ['reply.md'] = 'Text only.\n', ['other.md'] = 'Here.\n\n' .. block('gone.md', 'a', 'b') },
}, function(editor)
  editor:open 'reply.md'
  editor:type ':AgentmdReview accept<CR>'
  editor:sees 'start with :AgentmdReview in the reply'
  editor:type ':AgentmdReview<CR>'
  editor:sees 'this document has no edits to review'
  editor:type ':AgentmdReview nonsense<CR>'
  editor:sees 'unknown action `nonsense`'
  editor:open 'other.md'
  editor:type ':AgentmdReview<CR>'
  editor:sees "can't be applied"
  editor:type '<CR>'
  editor:sees 'gone.md'
  editor:type 'a'
  editor:sees "can't be applied"
end)

test('the prompt is shown next to its program, and follows typing', {
  files = { ['greet.md'] = program('sample: { who: Ann }\n') },
}, function(editor)
  local function prompt()
    return editor:lua [[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        local buffer = vim.api.nvim_win_get_buf(window)
        if vim.startswith(vim.api.nvim_buf_get_name(buffer), 'agentmd-preview://') then
          return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
        end
      end
    ]]
  end
  local function becomes(text)
    editor:wait('the prompt ' .. text, function()
      return prompt() == text
    end)
  end
  editor:open 'greet.md'
  editor:type ':AgentmdPreview<CR>'
  becomes 'Greet Ann.\n'
  editor:sees 'tokens · with the sample'
  editor:go 'Greet {{'
  editor:type 'cwWelcome 日<Esc>'
  becomes 'Welcome 日 Ann.\n'
  -- If rendering fails, the reason is shown, and the last prompt stays.
  editor:go '.who'
  editor:type 'i(<Esc>'
  editor:sees 'unclosed'
  holds(prompt(), 'Welcome 日')
  editor:type 'u'
  becomes 'Welcome 日 Ann.\n'
  editor:type [[:AgentmdPreview {"who":"Bo"}<CR>]]
  becomes 'Welcome 日 Bo.\n'
  editor:type ':AgentmdPreview {<CR>'
  editor:sees 'the input is not JSON'
end)

test('the configuration for nvim-lspconfig works alone', {
  files = { ['SKILL.md'] = '---\nname: notes\ndescription: Use when: asked\n---\n' },
  init = ([[
    vim.g.loaded_agentmd = true
    vim.lsp.config('agentmd', dofile(%q))
    vim.lsp.enable('agentmd')
  ]]):format(plugin .. '/../../packaging/nvim-lspconfig/agentmd.lua'),
}, function(editor)
  editor:open 'SKILL.md'
  editor:sees_underlined 'Use when: asked'
end)

test('AgentmdFixAll, AgentmdRestart, AgentmdIndex', { files = { ['SKILL.md'] = '---\nname: notes\ndescription: Use when: asked\n---\n\n# Notes\n' } }, function(editor)
  editor:open 'SKILL.md'
  editor:wait('findings', function()
    return editor:lua 'return #vim.diagnostic.get(0) > 0'
  end)
  local before = editor:lua [[return vim.lsp.get_clients({ name = 'agentmd' })[1].id]]
  editor:type ':AgentmdRestart<CR>'
  editor:wait('another server', function()
    return editor:lua([[
      local client = vim.lsp.get_clients({ bufnr = 0, name = 'agentmd' })[1]
      return client and client.initialized and client.id ~= ...
    ]], before)
  end)
  editor:type ':AgentmdFixAll<CR>'
  editor:wait('the fix', function()
    return editor:text():find('description: "Use when: asked"', 1, true)
  end)
  editor:type ':silent write<CR>:AgentmdIndex<CR>'
  editor:wait('the index', function()
    return editor:lua 'return vim.bo.filetype' == 'json' and editor:text():find('heading:h1[0]', 1, true)
  end)
end)

local failed = 0
for _, name in ipairs(names) do
  if #only == 0 or vim.iter(only):any(function(part) return name:find(part, 1, true) end) then
    local setup, run = unpack(tests[name])
    local started = vim.uv.hrtime()
    local editor = Editor.start(setup.files, setup.init)
    local ok, problem = xpcall(run, function(problem)
      return type(problem) == 'string' and problem:find('\n', 1, true) and problem or debug.traceback(problem, 2)
    end, editor)
    local took = math.floor((vim.uv.hrtime() - started) / 1e6)
    io.write(('%-6s %s (%d ms)\n'):format(ok and 'ok' or 'FAILED', name, took))
    if not ok then
      failed = failed + 1
      local alive, screen = pcall(editor.screen, editor)
      local _, findings = pcall(editor.lua, editor, [[return vim.inspect(vim.tbl_map(function(it)
        return ('%d:%d-%d %s %s'):format(it.lnum + 1, it.col, it.end_col, it.code, it.message)
      end, vim.diagnostic.get(0)))]])
      local _, messages = pcall(editor.lua, editor, 'return vim.fn.execute("messages")')
      io.write(problem, '\n', ('-'):rep(60), ' screen\n', alive and screen or 'the editor is gone', '\n', ('-'):rep(60), ' findings\n')
      io.write(tostring(findings), '\n', ('-'):rep(60), ' messages', tostring(messages), '\n', ('-'):rep(60), '\n')
    end
    editor:stop()
  end
end
io.write(('%d of %d failed\n'):format(failed, #names))
os.exit(failed == 0 and 0 or 1)
