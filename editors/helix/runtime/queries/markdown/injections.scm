; Helix reads this file instead of its own, so it begins with the same patterns: fences by their language or first line, HTML,
; front matter, and inline text in lines and cells.
((fenced_code_block
  (code_fence_content) @injection.shebang @injection.content)
  (#set! injection.include-unnamed-children))

((fenced_code_block
  (info_string
    (language) @injection.language)
  (code_fence_content) @injection.content)
  (#set! injection.include-unnamed-children))

((html_block) @injection.content
  (#set! injection.language "html")
  (#set! injection.include-unnamed-children)
  (#set! injection.combined))

((minus_metadata) @injection.content
  (#set! injection.language "yaml")
  (#set! injection.include-unnamed-children))

((plus_metadata) @injection.content
  (#set! injection.language "toml")
  (#set! injection.include-unnamed-children))

([
  (inline)
  (pipe_table_cell)
] @injection.content
  (#set! injection.language "markdown.inline")
  (#set! injection.include-unnamed-children))

; From queries/markdown/injections.scm, where it is changed.
; Languages in the fences of Markdown that agents read and write. Editors that run tree-sitter have patterns of their own for
; fences named by a language, front matter and HTML; these come behind them, and are skipped where a parser is not installed.

; A fence that is named by a file: `src/app.py`, `python:src/app.py`, `12:15:src/app.ts`.
((fenced_code_block
  (info_string
    (language) @injection.filename)
  (code_fence_content) @injection.content)
  (#match? @injection.filename "^[^ {}]*[./][A-Za-z0-9_.-]+$")
  (#set! injection.include-unnamed-children))

; Formats that are Markdown themselves.
((fenced_code_block
  (info_string
    (language) @_name)
  (code_fence_content) @injection.content)
  (#any-of? @_name "markdownlang" "duckflow" "llmd" "mdc" "skill" "prompt")
  (#set! injection.language "markdown")
  (#set! injection.include-unnamed-children))

((fenced_code_block
  (info_string
    (language) @_name)
  (code_fence_content) @injection.content)
  (#any-of? @_name "jsonschema" "json-schema")
  (#set! injection.language "json")
  (#set! injection.include-unnamed-children))
