"""A skill's folder is renamed, as file explorers do it, and an agent, a command and the plugin's manifest follow."""

TITLE = "agentmd: renaming the folder of a skill in Neovim"

FILES = {
    ".claude-plugin/plugin.json": """{
  "name": "kitchen",
  "description": "Tea and dinner",
  "skills": ["./skills/brew-tea"]
}
""",
    "skills/brew-tea/SKILL.md": """---
name: brew-tea
description: Brews tea. Use it for guests.
---

Boil the water first.
""",
    "agents/cook.md": """---
name: cook
description: Cooks for guests
tools: Read, Skill
skills: [brew-tea]
---

Start with the `brew-tea` skill.
""",
    "commands/dinner.md": """---
description: Plans a dinner
---

Run `/kitchen:brew-tea` while you wait,
as `../skills/brew-tea/SKILL.md` says.
""",
}

OPEN = "agents/cook.md"

# What plugins for files send: Neovim alone doesn't tell servers about renamed files.
SETUP = """
vim.diagnostic.config({ virtual_text = false, virtual_lines = { current_line = true } })
vim.opt.splitright = true
vim.api.nvim_create_user_command('Move', function(command)
  local old, new = unpack(vim.tbl_map(function(path) return vim.fs.joinpath(vim.uv.cwd(), path) end, command.fargs))
  local client = vim.lsp.get_clients({ name = 'agentmd' })[1]
  local files = { files = { { oldUri = vim.uri_from_fname(old), newUri = vim.uri_from_fname(new) } } }
  local answer = client:request_sync('workspace/willRenameFiles', files, 5000)
  if answer and answer.result then
    vim.lsp.util.apply_workspace_edit(answer.result, client.offset_encoding)
  end
  vim.cmd.wall()
  vim.uv.fs_rename(old, new)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
    if vim.startswith(name, old .. '/') then
      vim.api.nvim_win_call(window, function() vim.cmd.edit(vim.fn.fnamemodify(new .. name:sub(#old + 1), ':.')) end)
    end
  end
  client:notify('workspace/didRenameFiles', files)
end, { nargs = '+', complete = 'file' })
""".replace("\n", " ")

STEPS = [
    (":vsplit commands/dinner.md<CR>", 0.8, "An agent, and a command that uses the same skill."),
    (":split .claude-plugin/plugin.json<CR>", 1.4, "The manifest of the plugin lists the skill's folder."),
    (":split skills/brew-tea/SKILL.md<CR>", 1.8, "The skill itself."),
    (":Move skills/brew-tea skills/brew-chai<CR>", 3.0, "Its folder is renamed: its name, the agent, the command and the manifest follow."),
    (":!ls skills<CR>", 2.0, "The folder on the disk."),
]
