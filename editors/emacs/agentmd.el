;;; agentmd.el --- Language server for agent markdown  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9") (markdown-mode "2.5"))
;; License: MIT OR Apache-2.0

;;; Commentary:

;; Makes eglot start `agentmd server' for Markdown.  The server does everything else.

;;; Code:

(require 'eglot)

(defgroup agentmd nil
  "Language server for agent markdown."
  :group 'tools)

(defcustom agentmd-command '("agentmd" "server")
  "The command that starts the server."
  :type '(repeat string))

(defcustom agentmd-settings nil
  "What could stand in an `agentmd.toml', as a plist with the same names.
For example (:ignore [\"markdownlang/unknown-field\"]).  Such a file wins where there is one."
  :type 'plist)

(defun agentmd-contact (&optional _interactive)
  "How eglot reaches the server."
  (append agentmd-command (and agentmd-settings (list :initializationOptions agentmd-settings))))

(defun agentmd--configuration (_server)
  "What the server is answered when it asks for its settings."
  (list :agentmd (or agentmd-settings (make-hash-table))))

;;;###autoload
(defun agentmd-setup ()
  "Start the server with the first Markdown file."
  (add-to-list 'eglot-server-programs '((markdown-mode gfm-mode agentmd-test-mode) . agentmd-contact))
  (add-to-list 'auto-mode-alist '("\\.\\(?:mdc\\|llmd\\)\\'" . markdown-mode))
  (add-to-list 'auto-mode-alist '("\\.test\\.ya?ml\\'" . agentmd-test-mode))
  (setq-default eglot-workspace-configuration #'agentmd--configuration)
  (add-hook 'markdown-mode-hook #'eglot-ensure)
  (add-hook 'agentmd-test-mode-hook #'eglot-ensure))

(defun agentmd--range ()
  "The region, or the place of the cursor, as (BEGIN END)."
  (if (use-region-p) (list (region-beginning) (region-end)) (list (point) (point))))

(defun agentmd-apply (begin end)
  "Choose which edits between BEGIN and END are made to files, and make them.
Without a region, those of the block at the cursor, and all of the document together."
  (interactive (agentmd--range))
  (eglot-code-actions begin end "refactor" t))

(defun agentmd-fix-all ()
  "Apply every fix that cannot be wrong."
  (interactive)
  (eglot-code-actions (point-min) (point-max) "source.fixAll" t))

(defun agentmd-copy-selector ()
  "Put the selector of the block at the cursor into the kill ring."
  (interactive)
  (let* ((server (eglot--current-server-or-lose))
         (place (eglot--TextDocumentPositionParams))
         (arguments (vector (list :uri (plist-get (plist-get place :textDocument) :uri) :position (plist-get place :position))))
         (answer (eglot-execute-command server "agentmd.copySelector" arguments))
         (selector (if (stringp answer) answer (plist-get answer :selector))))
    (unless selector
      (user-error "There is no block here that a selector could name"))
    (kill-new selector)
    (message "%s" selector)))

;; Eglot has no code lenses, so these commands take their place.

(defun agentmd--file ()
  "The saved file of this buffer."
  (unless buffer-file-name
    (user-error "Save the file first"))
  (when (buffer-modified-p)
    (save-buffer))
  buffer-file-name)

(defun agentmd-run (input)
  "Run this program with INPUT, which is JSON, or with its sample if INPUT is empty."
  (interactive (list (read-string "Input (JSON, empty for the sample): ")))
  (let* ((file (agentmd--file))
         (more (if (string-empty-p input) '("--sample") (list "--input" input))))
    (compile (mapconcat #'shell-quote-argument (append (list (car agentmd-command) "run" file) more) " "))))

(defun agentmd-test ()
  "Run the tests of this program or test file; `next-error' visits the cases that fail."
  (interactive)
  (let ((file (agentmd--file)))
    (compile (mapconcat #'shell-quote-argument (list (car agentmd-command) "test" file) " "))))

(define-derived-mode agentmd-test-mode prog-mode "agentmd test"
  "A test file of a program: YAML, served by agentmd."
  (setq-local comment-start "# " comment-end "" indent-tabs-mode nil))

(provide 'agentmd)
;;; agentmd.el ends here
