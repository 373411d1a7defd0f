; Helix reads this file instead of its own, so it begins with the same patterns: tags and formulas.
((html_tag) @injection.content
  (#set! injection.language "html")
  (#set! injection.include-unnamed-children)
  (#set! injection.combined))

((latex_block) @injection.content
  (#set! injection.language "latex")
  (#set! injection.include-children))

; From queries/markdown_inline/injections.scm, where it is changed.
; Actions of Go templates in running text, headings and tables. What Markdown marks itself stays with it: code, links, emphasis.
((inline) @injection.content
  (#match? @injection.content "\\{\\{")
  (#set! injection.language "gotmpl")
  (#set! injection.include-unnamed-children))
