; Block structure. Captures are the semantic token types of the server.
(atx_heading (inline) @class)
(setext_heading (paragraph) @class)

[
  (atx_h1_marker)
  (atx_h2_marker)
  (atx_h3_marker)
  (atx_h4_marker)
  (atx_h5_marker)
  (atx_h6_marker)
  (setext_h1_underline)
  (setext_h2_underline)
  (thematic_break)
] @keyword

[
  (list_marker_plus)
  (list_marker_minus)
  (list_marker_star)
  (list_marker_dot)
  (list_marker_parenthesis)
  (task_list_marker_checked)
  (task_list_marker_unchecked)
  (block_quote_marker)
] @operator

(fenced_code_block_delimiter) @operator
(info_string (language) @type)
(pipe_table_header (pipe_table_cell) @class)
(link_reference_definition (link_label) @variable)
(link_reference_definition (link_destination) @string)
(html_block) @macro
