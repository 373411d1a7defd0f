//! Closing fences that are indented too far.

use super::indented;
use crate::source::Source;
use crate::text::{Edit, apply};

/// The text with every such fence dedented.
fn dedented(text: &str) -> String {
    let edits: Vec<Edit> = indented(&Source::new(text))
        .map(|closing| Edit::replace(closing.indent, closing.wanted))
        .collect();
    apply(text, &edits).unwrap()
}

#[test]
fn a_fence_that_was_meant_to_close_is_dedented() {
    for (text, wanted) in [
        // The block continues to the end of the document, or to the next fence.
        ("```sh\nls\n    ```\n\nEnd. 日\n", "```sh\nls\n```\n\nEnd. 日\n"),
        (
            "# 日\n\n```sh\r\nls\r\n\t```\r\n\r\nThen:\r\n\r\n```sh\r\nls\r\n```\r\n\r\nEnd.\r\n",
            "# 日\n\n```sh\r\nls\r\n```\r\n\r\nThen:\r\n\r\n```sh\r\nls\r\n```\r\n\r\nEnd.\r\n",
        ),
        (
            "1. Do\n\n   ````md\n   ls\n       ````\n\n2. Then\n",
            "1. Do\n\n   ````md\n   ls\n   ````\n\n2. Then\n",
        ),
        ("- ~~~\n  ls\n          ~~~\n", "- ~~~\n  ls\n  ~~~\n"),
        // A nested block closes itself alone.
        (
            "```md\n- a\n    ```ts\n    b\n    ```\n        ```\n\n```sh\nls\n```\n",
            "```md\n- a\n    ```ts\n    b\n    ```\n```\n\n```sh\nls\n```\n",
        ),
    ] {
        assert_eq!(dedented(text), wanted, "{text}");
        assert_eq!(dedented(wanted), wanted, "nothing is left: {text}");
    }
}

#[test]
fn other_fences_are_left_alone() {
    for text in [
        "```sh\nls\n   ```\n\n- a\n\n  ```sh\n  ls\n     ```\n",
        // Examples of a list with code, and of a longer fence.
        "```md\n1. a\n    ```sh\n    ls\n    ```\n2. b\n```\n",
        "````md\n```sh\nls\n    ```\n````\n",
        // A nested block that is indented as a whole.
        "```md\n- a\n        ```\n        日\n        ```\n\n```sh\n```\n\nEnd.\n",
        // Nested blocks with a language, in a skill that a program wrapped as a whole.
        "```md\r\n# 日\r\n\r\n- a\r\n    ```ts\r\n    b\r\n    ```\r\n\r\n## C\r\n\r\n```\r\nd\r\n```\r\n",
        "```md\n- a\n    ```ts\n    b\n    ```\n- c\n    ```ts\n    d\n    ```\n\n```sh\ne\n```\n",
        // Never closed, or closed by another mark.
        "```sh\nls\n\nEnd.\n",
        "```sh\nls\n    ~~~\n\nEnd.\n",
        "> ```sh\n> ls\n>     ```\n",
        "    ```\n    ls\n    ```\n",
    ] {
        assert_eq!(dedented(text), text);
    }
}
