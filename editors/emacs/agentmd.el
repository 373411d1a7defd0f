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
  (add-to-list 'eglot-server-programs '((markdown-mode gfm-mode) . agentmd-contact))
  (add-to-list 'auto-mode-alist '("\\.\\(?:mdc\\|llmd\\)\\'" . markdown-mode))
  (setq-default eglot-workspace-configuration #'agentmd--configuration)
  (add-hook 'markdown-mode-hook #'eglot-ensure))

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

(provide 'agentmd)
;;; agentmd.el ends here
