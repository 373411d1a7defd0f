--- Reviews the edits of a reply. The server lists, compares and applies them; the decisions are kept here while Neovim runs.
local M = {}

---@class agentmd.Edit
---@field block integer
---@field to string
---@field key string names the edit by its content
---@field range lsp.Range
---@field name? string
---@field title string
---@field state 'fits'|'likely'|'ambiguous'|'done'|'refused'
---@field message? string
---@field line? integer
---@field places { line: integer, text: string }[]

---@class agentmd.Decision
---@field verdict 'accepted'|'rejected'|'applied'
---@field place? { at?: integer, everywhere?: boolean, confirmed?: boolean }

---@type table<string, table<string, agentmd.Decision>> by the URI of the reply, then by the key of the edit
local decisions = {}

--- The review that is shown.
---@type { uri: string, buffer: integer, version: integer, edits: agentmd.Edit[], list: integer, tab?: integer, at?: string }?
local review

---@param message string
---@param level? integer
local function say(message, level)
  vim.notify('agentmd: ' .. message, level or vim.log.levels.INFO)
end

---@param buffer integer
---@param command string
---@param argument table
---@return any answer nil after a message
local function ask(buffer, command, argument)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'agentmd' })[1]
  if not client then
    return say('no server for this buffer; :checkhealth agentmd shows why', vim.log.levels.WARN)
  end
  local known = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(known, command) then
    return say('this server is too old for reviews', vim.log.levels.WARN)
  end
  local params = { command = command, arguments = { argument } }
  local answer, failure = client:request_sync('workspace/executeCommand', params, 10000, buffer)
  if not answer or answer.err then
    return say(answer and answer.err.message or failure or 'no answer', vim.log.levels.WARN)
  end
  return answer.result == nil and vim.NIL or answer.result
end

---@return string
local function plural(count, noun)
  return ('%d %s%s'):format(count, noun, count == 1 and '' or 's')
end

--- JSON's null as nil.
local function given(value)
  return value ~= vim.NIL and value or nil
end

---@param edit agentmd.Edit
---@return agentmd.Decision?
local function decision_of(edit)
  return review and vim.tbl_get(decisions, review.uri, edit.key)
end

--- Whether the chosen place is still valid.
---@param edit agentmd.Edit
---@param place table
local function holds(edit, place)
  if place.confirmed then
    return edit.state == 'likely'
  end
  return edit.state == 'ambiguous'
    and (place.everywhere or vim.iter(edit.places):any(function(other)
      return other.line == place.at
    end))
end

--- The state of an edit, from the server's state and the decision.
---@param edit agentmd.Edit
---@return 'open'|'doubtful'|'accepted'|'rejected'|'applied'|'stuck'
local function standing(edit)
  local decision = decision_of(edit)
  -- After an edit is applied, its old text may occur elsewhere.
  if edit.state == 'done' or decision and decision.verdict == 'applied' then
    return 'applied'
  elseif decision and decision.verdict == 'rejected' then
    return 'rejected'
  elseif edit.state == 'refused' then
    return 'stuck'
  elseif decision and (edit.state == 'fits' or decision.place and holds(edit, decision.place)) then
    return 'accepted'
  end
  return edit.state == 'fits' and 'open' or 'doubtful'
end

---@param edit agentmd.Edit
local function waits(edit)
  return vim.list_contains({ 'open', 'doubtful' }, standing(edit))
end

--- An edit in the form that the server's commands expect.
---@param edit agentmd.Edit
local function choice(edit)
  local decision = decision_of(edit)
  local place = edit.state ~= 'fits' and decision and decision.place or {}
  return vim.tbl_extend('error', { block = edit.block }, place)
end

local WORDS = { open = 'open', doubtful = 'choose a place', accepted = 'accepted', rejected = 'rejected', applied = 'applied', stuck = "can't be applied" }

--- `Edit src/app.py, line 5: accepted`
---@param edit agentmd.Edit
local function describe(edit)
  local found = standing(edit)
  local decision = decision_of(edit)
  local place = decision and decision.place or {}
  local line = found == 'accepted' and place.at or given(edit.line)
  local where = ''
  if found == 'accepted' and place.everywhere then
    where = (', all %d places'):format(#edit.places)
  elseif line and found ~= 'stuck' and found ~= 'applied' and vim.startswith(edit.title, 'Edit') then
    where = ', line ' .. line + 1
  end
  local reason = vim.list_contains({ 'doubtful', 'stuck' }, found) and given(edit.message)
  return edit.title .. where .. ': ' .. WORDS[found] .. (reason and ' (' .. reason .. ')' or '')
end

--- `2 accepted, 1 open`
local function progress()
  local parts = {}
  for _, state in ipairs { 'open', 'doubtful', 'accepted', 'rejected', 'applied', 'stuck' } do
    local count = #vim.tbl_filter(function(edit)
      return standing(edit) == state
    end, review.edits)
    if count > 0 then
      table.insert(parts, count .. ' ' .. (state == 'doubtful' and 'in doubt' or WORDS[state]))
    end
  end
  return table.concat(parts, ', ')
end

--- Puts the edits into the quickfix list.
local function fill()
  local items = vim.tbl_map(function(edit)
    local kinds = { stuck = 'E', doubtful = 'W' }
    return { bufnr = review.buffer, lnum = edit.range.start.line + 1, text = describe(edit), type = kinds[standing(edit)] or 'I', user_data = edit.key }
  end, review.edits)
  local at = 1
  for index, edit in ipairs(review.edits) do
    at = edit.key == review.at and index or at
  end
  local what = { title = 'agentmd review: ' .. progress(), items = items, idx = at }
  if review.list and vim.fn.getqflist({ id = review.list }).id == review.list then
    vim.fn.setqflist({}, 'r', vim.tbl_extend('error', what, { id = review.list }))
  else
    vim.fn.setqflist({}, ' ', what)
    review.list = vim.fn.getqflist({ id = 0 }).id
  end
end

--- Asks the server again: the reply or a file may have changed.
---@return boolean
local function refresh()
  local answer = ask(review.buffer, 'agentmd.review', { uri = review.uri })
  if not answer then
    return false
  end
  review.version, review.edits = answer.version, answer.edits
  fill()
  return true
end

---@param key? string
---@return agentmd.Edit?
local function edit_of(key)
  return vim.iter(review.edits):find(function(edit)
    return edit.key == key
  end)
end

--- The edit that is shown, marked in the list, or at the cursor in the reply.
---@return agentmd.Edit?
local function here()
  local buffer = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1]
  if vim.bo[buffer].buftype == 'quickfix' then
    local item = vim.fn.getqflist({ id = review.list, items = 1 }).items[line]
    review.at = item and item.user_data or review.at
  elseif buffer == review.buffer then
    for _, edit in ipairs(review.edits) do
      review.at = edit.range.start.line < line and edit.key or review.at
    end
  end
  return edit_of(review.at) or review.edits[1]
end

---@param edit agentmd.Edit
---@param step 1|-1
---@param waiting? boolean only those without a decision
---@return agentmd.Edit?
local function neighbour(edit, step, waiting)
  local at = 1
  for index, other in ipairs(review.edits) do
    at = other.key == edit.key and index or at
  end
  for distance = 1, #review.edits do
    local other = review.edits[(at - 1 + step * distance) % #review.edits + 1]
    if other.key ~= edit.key and (not waiting or waits(other)) then
      return other
    end
  end
end

local HINT = 'a accept · r reject · u undo · Tab next · A apply · q close'

---@param buffer integer
local function map(buffer)
  local keys = { a = 'accept', r = 'reject', u = 'reopen', d = 'diff', A = 'apply', q = 'close', ['<Tab>'] = 'next', ['<S-Tab>'] = 'previous', ['<CR>'] = 'diff' }
  local list = vim.bo[buffer].buftype == 'quickfix'
  for key, action in pairs(keys) do
    vim.keymap.set('n', key, function()
      -- Another list may have taken the window.
      if list and vim.fn.getqflist({ id = 0 }).id ~= review.list then
        vim.api.nvim_feedkeys(vim.keycode(key), 'n', false)
      else
        M[action]()
      end
    end, { buffer = buffer, nowait = true, desc = 'agentmd review: ' .. action })
  end
end

--- A buffer with one side of a comparison.
---@param text string
---@param name string
---@param which string
local function side(text, name, which)
  local buffer = vim.api.nvim_create_buf(false, true)
  -- Keep it unnamed if another buffer has the name.
  pcall(vim.api.nvim_buf_set_name, buffer, ('agentmd-review://%s/%s'):format(which, name))
  local lines = vim.split(text, '\r?\n')
  if lines[#lines] == '' then
    lines[#lines] = nil
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].bufhidden, vim.bo[buffer].modifiable = 'wipe', false
  -- Set only the syntax: the file type would start plugins that are meant for files.
  vim.bo[buffer].syntax = vim.filetype.match { filename = name } or ''
  map(buffer)
  return buffer
end

--- The two windows of the comparison, in their own tab.
---@return integer[]
local function windows()
  if review.tab and vim.api.nvim_tabpage_is_valid(review.tab) then
    vim.api.nvim_set_current_tabpage(review.tab)
    local found = vim.tbl_filter(function(window)
      return vim.wo[window].diff
    end, vim.api.nvim_tabpage_list_wins(review.tab))
    if #found == 2 then
      return found
    end
  else
    vim.cmd.tabnew()
    vim.bo.bufhidden = 'wipe'
    review.tab = vim.api.nvim_get_current_tabpage()
  end
  vim.cmd 'silent only'
  vim.cmd 'rightbelow vsplit'
  return vim.api.nvim_tabpage_list_wins(review.tab)
end

--- Compares the file before and after an edit.
---@param edit agentmd.Edit
local function show(edit)
  review.at = edit.key
  fill()
  local chosen = choice(edit)
  if standing(edit) ~= 'accepted' and edit.state == 'ambiguous' and edit.places[1] then
    chosen.at = edit.places[1].line
  elseif edit.state == 'likely' then
    chosen.confirmed = true
  end
  local answer = ask(review.buffer, 'agentmd.compare', { uri = review.uri, version = review.version, choices = { chosen }, to = edit.to })
  local file = answer and answer.files and answer.files[1]
  if not file then
    local refusal = answer and answer.refused and answer.refused[1]
    local reason = given(edit.message) or refusal and refusal.message
    if reason or edit.state == 'done' then
      say(edit.title .. ': ' .. (reason or 'applied'), vim.log.levels.WARN)
    end
    return
  end
  local pair = windows()
  local index = vim.fn.index(review.edits, edit) + 1
  for which, text in ipairs { given(file.before) or '', given(file.after) or '' } do
    local window = pair[which]
    vim.api.nvim_win_set_buf(window, side(text, file.name, which == 1 and 'before' or 'after'))
    vim.api.nvim_win_call(window, vim.cmd.diffthis)
    local doubts = file.doubts and #file.doubts > 0 and (' · the file ' .. table.concat(file.doubts, ', ')) or ''
    local title = which == 1 and ('before · %d of %d'):format(index, #review.edits) or describe(edit) .. doubts
    vim.wo[window].winbar = title:gsub('%%', '%%%%') .. (which == 1 and ' · ' .. HINT or '')
  end
  vim.api.nvim_set_current_win(pair[2])
  vim.cmd 'silent! normal! gg'
  if vim.fn.diff_hlID(1, 1) == 0 then
    vim.cmd 'silent! normal! ]c'
  end
end

--- Whether the comparison is shown.
local function compares()
  return review.tab ~= nil and vim.api.nvim_get_current_tabpage() == review.tab
end

--- Goes to another edit, in the comparison or in the list.
---@param edit agentmd.Edit
local function go(edit)
  review.at = edit.key
  if compares() then
    return show(edit)
  end
  fill()
  local list = vim.fn.getqflist({ winid = 0 }).winid
  for index, other in ipairs(review.edits) do
    if other.key == edit.key and list ~= 0 then
      vim.api.nvim_win_set_cursor(list, { index, 0 })
    end
  end
  if vim.api.nvim_get_current_buf() == review.buffer then
    vim.api.nvim_win_set_cursor(0, { edit.range.start.line + 1, 0 })
  end
end

---@param edit agentmd.Edit
---@param decision? agentmd.Decision
local function decide(edit, decision)
  decisions[review.uri] = decisions[review.uri] or {}
  decisions[review.uri][edit.key] = decision
  local next = decision and neighbour(edit, 1, true)
  go(next or edit)
  if decision and not next and not waits(edit) then
    say(('everything is decided: %s; `:AgentmdReview apply` applies it'):format(progress()))
  end
end

--- Refreshes the review and runs an action on the current edit.
---@param action fun(edit: agentmd.Edit)
local function with_edit(action)
  if not review or not vim.api.nvim_buf_is_valid(review.buffer) then
    return say('start with :AgentmdReview in the reply', vim.log.levels.WARN)
  end
  local edit = here()
  if not edit or not refresh() then
    return
  end
  edit = edit_of(edit.key)
  if edit then
    action(edit)
  else
    say('the reply has changed; look at the list again', vim.log.levels.WARN)
  end
end

--- Lists the edits of the reply in this buffer.
function M.start()
  local buffer = vim.api.nvim_get_current_buf()
  if review and buffer ~= review.buffer and (compares() or vim.bo[buffer].buftype == 'quickfix') then
    buffer = review.buffer
  end
  local uri = vim.uri_from_bufnr(buffer)
  local answer = ask(buffer, 'agentmd.review', { uri = uri })
  if not answer then
    return
  elseif not answer.edits or #answer.edits == 0 then
    return say 'this document has no edits to review'
  end
  review = vim.tbl_extend('force', review and review.uri == uri and review or {}, { uri = uri, buffer = buffer, version = answer.version, edits = answer.edits })
  local first = edit_of(review.at) or vim.iter(review.edits):find(waits) or review.edits[1]
  review.at = first.key
  fill()
  vim.cmd 'botright copen'
  map(vim.api.nvim_get_current_buf())
  go(first)
  say(HINT .. ' · Enter compares')
end

--- Compares the file before and after this edit.
function M.diff()
  with_edit(show)
end

function M.next()
  with_edit(function(edit)
    go(neighbour(edit, 1) or edit)
  end)
end

function M.previous()
  with_edit(function(edit)
    go(neighbour(edit, -1) or edit)
  end)
end

--- Accepts this edit. If its place is in doubt, you choose one.
function M.accept()
  with_edit(function(edit)
    if edit.state == 'fits' then
      return decide(edit, { verdict = 'accepted' })
    elseif edit.state == 'done' or edit.state == 'refused' then
      return say(describe(edit), vim.log.levels.WARN)
    end
    local rows = vim.tbl_map(function(place)
      local chosen = edit.state == 'likely' and { confirmed = true } or { at = place.line }
      return { label = ('Line %d: %s'):format(place.line + 1, place.text), decision = { verdict = 'accepted', place = chosen } }
    end, edit.places)
    if edit.state == 'ambiguous' then
      table.insert(rows, { label = ('All %d places'):format(#edit.places), decision = { verdict = 'accepted', place = { everywhere = true } } })
    end
    table.insert(rows, { label = 'Reject this change', decision = { verdict = 'rejected' } })
    local prompt = edit.title .. (edit.state == 'likely' and ': is this the place?' or ': where does it belong?')
    vim.ui.select(rows, {
      prompt = prompt,
      format_item = function(row)
        return row.label
      end,
    }, function(row)
      if row then
        decide(edit, row.decision)
      end
    end)
  end)
end

function M.reject()
  with_edit(function(edit)
    decide(edit, { verdict = 'rejected' })
  end)
end

--- Undoes a decision.
function M.reopen()
  with_edit(function(edit)
    decide(edit, nil)
  end)
end

--- Applies the accepted edits in buffers.
function M.apply()
  with_edit(function()
    local goals = {}
    for _, edit in ipairs(review.edits) do
      if standing(edit) == 'accepted' then
        goals[edit.to] = goals[edit.to] or {}
        table.insert(goals[edit.to], choice(edit))
      end
    end
    if not next(goals) then
      return say('accept a change first', vim.log.levels.WARN)
    end
    local own = decisions[review.uri]
    for goal, choices in pairs(goals) do
      if not ask(review.buffer, 'agentmd.apply', { uri = review.uri, version = review.version, choices = choices, to = goal }) then
        return
      end
      for _, edit in ipairs(review.edits) do
        if edit.to == goal and standing(edit) == 'accepted' then
          own[edit.key] = { verdict = 'applied' }
        end
      end
      say(('applied %s in buffers; `:wall` writes them, `u` takes them back'):format(plural(#choices, 'change')))
    end
    M.close()
    refresh()
  end)
end

--- Closes the comparison. The list and the decisions stay.
function M.close()
  if review and review.tab and vim.api.nvim_tabpage_is_valid(review.tab) and #vim.api.nvim_list_tabpages() > 1 then
    vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(review.tab))
    review.tab = nil
  elseif vim.bo.buftype == 'quickfix' then
    vim.cmd.cclose()
  end
end

M.ACTIONS = { 'accept', 'reject', 'reopen', 'next', 'previous', 'diff', 'apply', 'close' }

--- `:AgentmdReview [action]`
---@param arguments vim.api.keyset.create_user_command.command_args
function M.command(arguments)
  local action = arguments.args
  if action == '' then
    M.start()
  elseif vim.list_contains(M.ACTIONS, action) then
    M[action]()
  else
    say(('unknown action `%s`; use one of %s'):format(action, table.concat(M.ACTIONS, ', ')), vim.log.levels.WARN)
  end
end

return M
