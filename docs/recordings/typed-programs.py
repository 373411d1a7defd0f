"""Completion of a nested field, a rename across schema and body, and a circle of imports."""

TITLE = "agentmd: a markdownlang program in Neovim"

FILES = {
    "review.md": """---
name: review
description: Reviews a pull request
input:
  type: object
  properties:
    repo:
      type: object
      description: Where the code is
      properties:
        owner: { type: string, description: Who owns it }
        branch: { type: string, description: What to compare with, default: main }
      required: [owner, branch]
    files:
      type: array
      items: { type: object, properties: { path: { type: string } }, required: [path] }
  required: [repo, files]
output: { type: object, properties: { verdict: { type: string } }, required: [verdict] }
---

# Review


{{ range .files }}
- {{ .path }}
{{ end }}
""",
    "summary.md": """---
name: summary
description: Sums up a review
input: { type: object, properties: { text: { type: string } }, required: [text] }
output: { type: object, properties: { short: { type: string } }, required: [short] }
imports:
  - ./review.md
---

Sum up {{ .text }}, and call review where it is too short.
""",
}

OPEN = "review.md"

SETUP = "vim.lsp.inlay_hint.enable() vim.diagnostic.config({ virtual_text = false, virtual_lines = { current_line = true } })"

STEPS = [
    ("/# Review<CR>", 0.6, "A program: its body is a Go template over its own input schema."),
    ("o<CR>Compare with {{ .repo.", 0.4, "Fields are known at any depth."),
    ("<C-x><C-o>", 1.6, "Fields are known at any depth."),
    ("<C-n>", 1.8, "Type, default and description come from the schema."),
    ("<C-n><C-y> }}, by {{ .repo.ower }}.<Esc>", 2.2, "A name that the schema does not have."),
    ("Fw:lua vim.lsp.buf.code_action()<CR>", 1.6, "The fix knows what was meant."),
    ("1<CR>", 1.6, "The fix knows what was meant."),
    ("/files }}<CR>", 0.5, "Rename an input..."),
    (":lua vim.lsp.buf.rename('changes')<CR>", 1.8, "... in the schema, in `required` and in the body at once."),
    ("gg", 1.4, "... in the schema, in `required` and in the body at once."),
    ("/^output<CR>Oimports:<CR>- ./summary.md<Esc>", 2.6, "summary.md imports this program: a circle, with the whole ring."),
    (":lua vim.diagnostic.open_float()<CR>", 3.0, "summary.md imports this program: a circle, with the whole ring."),
]
