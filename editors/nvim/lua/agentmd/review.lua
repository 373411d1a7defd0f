--- A review of a reply's edits: a quickfix list with the state of each, comparisons, and decisions.
--- The server lists, compares and applies; this file only remembers what was decided.
local M = {}

---@class agentmd.Edit
---@field block integer
---@field to string
---@field key string
---@field range table
---@field title string
---@field state 'fits'|'likely'|'ambiguous'|'done'|'refused'
---@field message string?
---@field line integer?
---@field places { line: integer, text: string }[]

--- Decisions by document and key: `false` if rejected, else the place that was chosen.
---@type table<string, table<string, table|false>>
local decisions = {}

--- The list that is shown: its edits, and the document that they are in.
---@type { buffer: integer, uri: string, version: integer, edits: agentmd.Edit[] }?
local shown

local function warn(text)
  vim.notify('agentmd: ' .. text, vim.log.levels.WARN)
end

--- A value that JSON may have left out.
local function given(value)
  return value ~= nil and value ~= vim.NIL and value or nil
end

---@param buffer integer
---@param command string
---@param argument table
---@param use fun(answer: any)
local function ask(buffer, command, argument, use)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'agentmd' })[1]
  if not client then
    warn 'no server serves this buffer; :checkhealth agentmd says why'
    return
  end
  local known = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(known, command) then
    warn('this server does not know ' .. command .. '; a newer one may')
    return
  end
  local params = { command = command, arguments = { vim.tbl_extend('force', { uri = vim.uri_from_bufnr(buffer) }, argument) } }
  client:request('workspace/executeCommand', params, function(failure, answer)
    if failure then
      warn(failure.message .. '; your decisions are kept')
    else
      use(answer)
    end
  end, buffer)
end

---@param uri string
---@param edit agentmd.Edit
local function standing(uri, edit)
  local decision = (decisions[uri] or {})[edit.key]
  if edit.state == 'done' then
    return 'applied'
  elseif decision == false then
    return 'rejected'
  elseif edit.state == 'refused' then
    return 'stuck'
  elseif decision and (edit.state == 'fits' or next(decision)) then
    return 'accepted'
  end
  return edit.state == 'fits' and 'open' or 'doubtful'
end

local LETTERS = { stuck = 'E', doubtful = 'W', open = 'I', accepted = 'N', rejected = 'N', applied = 'N' }

--- Draws the list again, with the cursor where it was.
local function draw()
  local items = vim.tbl_map(function(edit)
    local found = standing(shown.uri, edit)
    local why = (found == 'stuck' or found == 'doubtful') and given(edit.message)
    local line = not why and given(edit.line)
    local detail = why and ': ' .. why or line and ', line ' .. (line + 1) or ''
    local place = edit.range.start
    return { bufnr = shown.buffer, lnum = place.line + 1, col = place.character + 1, type = LETTERS[found], text = ('[%s] %s%s'):format(found, edit.title, detail) }
  end, shown.edits)
  local at = vim.fn.getqflist({ idx = 0 }).idx
  vim.fn.setqflist({}, 'r', { title = 'Review', items = items, idx = math.max(1, math.min(at, #items)) })
end

local function refresh(use)
  ask(shown.buffer, 'agentmd.review', {}, function(answer)
    shown.version, shown.edits = answer.version, answer.edits
    draw()
    if use then
      use()
    end
  end)
end

--- The edit at the cursor of the list.
local function current()
  return shown and shown.edits[vim.api.nvim_win_get_cursor(0)[1]]
end

local function choice(edit)
  return vim.tbl_extend('force', { block = edit.block }, edit.state ~= 'fits' and (decisions[shown.uri] or {})[edit.key] or {})
end

local function decide(edit, decision)
  decisions[shown.uri] = decisions[shown.uri] or {}
  decisions[shown.uri][edit.key] = decision
  draw()
end

--- Accepts the edit at the cursor; one that isn't sure of its place asks for it.
local function accept()
  local edit = current()
  if not edit then
    return
  elseif edit.state == 'fits' then
    return decide(edit, {})
  elseif #edit.places == 0 then
    return warn(("this edit can't be applied: %s"):format(given(edit.message) or edit.state))
  end
  local places = vim.tbl_map(function(place)
    return { text = ('line %d: %s'):format(place.line + 1, place.text), decision = edit.state == 'likely' and { confirmed = true } or { at = place.line } }
  end, edit.places)
  if edit.state == 'ambiguous' then
    table.insert(places, { text = 'all of these places', decision = { everywhere = true } })
  end
  vim.ui.select(places, {
    prompt = edit.title .. ': where does it belong?',
    format_item = function(place)
      return place.text
    end,
  }, function(place)
    if place then
      decide(edit, place.decision)
    end
  end)
end

--- Compares the edit at the cursor with its file, in a tab of its own.
local function compare()
  local edit = current()
  if not edit then
    return
  end
  local one = choice(edit)
  if edit.state == 'likely' then
    one.confirmed = true
  elseif edit.state == 'ambiguous' and one.at == nil and one.everywhere == nil then
    one.at = edit.places[1].line
  end
  ask(shown.buffer, 'agentmd.compare', { choices = { one }, to = edit.to }, function(answer)
    local file = answer.files[1]
    if not file then
      local refusal = answer.refused[1]
      return warn(refusal and refusal.message or 'nothing changes here')
    end
    vim.cmd.tabnew()
    for at, side in ipairs { 'before', 'after' } do
      if at > 1 then
        vim.cmd 'rightbelow vnew'
      end
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(given(file[side]) or '', '\n'))
      vim.bo.buftype, vim.bo.bufhidden, vim.bo.modifiable = 'nofile', 'wipe', false
      vim.bo.filetype = vim.filetype.match { filename = file.name } or ''
      vim.cmd.diffthis()
    end
  end)
end

--- Applies what is accepted, all of it or nothing.
local function apply()
  refresh(function()
    local orders = {}
    for _, edit in ipairs(shown.edits) do
      if standing(shown.uri, edit) == 'accepted' then
        orders[edit.to] = orders[edit.to] or {}
        table.insert(orders[edit.to], choice(edit))
      end
    end
    if not next(orders) then
      return warn 'accept an edit first'
    end
    for to, choices in pairs(orders) do
      ask(shown.buffer, 'agentmd.apply', { version = shown.version, choices = choices, to = to }, function()
        vim.notify(('Applied %d %s; :wall saves the files'):format(#choices, #choices == 1 and 'change' or 'changes'))
        refresh()
      end)
    end
  end)
end

--- Lists the edits of this reply in the quickfix window.
function M.start()
  local buffer = vim.api.nvim_get_current_buf()
  ask(buffer, 'agentmd.review', {}, function(answer)
    if #answer.edits == 0 then
      return warn 'there is nothing to review: this document holds no edits'
    end
    shown = { buffer = buffer, uri = vim.uri_from_bufnr(buffer), version = answer.version, edits = answer.edits }
    vim.fn.setqflist({}, ' ', { title = 'Review', items = {} })
    draw()
    vim.cmd.copen()
    local keys = {
      a = { accept, 'Accept this change' },
      r = {
        function()
          local edit = current()
          if edit then
            decide(edit, false)
          end
        end,
        'Reject this change',
      },
      u = {
        function()
          local edit = current()
          if edit then
            decide(edit, nil)
          end
        end,
        'Take the decision back',
      },
      d = { compare, 'Compare this change with its file' },
      A = { apply, 'Apply the accepted changes' },
      R = { refresh, 'Look at the files again' },
    }
    for key, mapping in pairs(keys) do
      vim.keymap.set('n', key, function()
        -- Another list has taken the window.
        if vim.fn.getqflist({ title = 0 }).title ~= 'Review' or not shown then
          return vim.api.nvim_feedkeys(key, 'n', false)
        end
        mapping[1]()
      end, { buffer = 0, nowait = true, desc = mapping[2] })
    end
  end)
end

return M
