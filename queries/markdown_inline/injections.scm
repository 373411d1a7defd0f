; Actions of Go templates in running text, headings and tables. What Markdown marks itself stays with it: code, links, emphasis.
((inline) @injection.content
  (#match? @injection.content "\\{\\{")
  (#set! injection.language "gotmpl")
  (#set! injection.include-unnamed-children))
