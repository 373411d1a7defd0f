; Languages inside Markdown: fenced code by its info string, front matter, HTML, and inline content.
(fenced_code_block
  (info_string (language) @injection.language)
  (code_fence_content) @injection.content)

((html_block) @injection.content
  (#set! injection.language "html"))

((minus_metadata) @injection.content
  (#set! injection.language "yaml"))

((inline) @injection.content
  (#set! injection.language "markdown_inline"))
