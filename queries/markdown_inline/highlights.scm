; Inline structure. Captures are the semantic token types of the server.
(code_span) @string
(link_text) @variable
(image_description) @variable
(link_label) @variable
(link_destination) @string
(uri_autolink) @string
(email_autolink) @string
(html_tag) @macro
(backslash_escape) @operator
