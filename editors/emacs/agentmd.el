;;; agentmd.el --- Language server for agent Markdown  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; URL: https://github.com/agentmd/agentmd
;; Package-Requires: ((emacs "28.1") (eglot "1.9") (markdown-mode "2.5"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; Makes eglot start `agentmd server' for Markdown: skills, agents, prompts,
;; programs and the replies of models.  The server does everything else.
;;
;; (require 'agentmd)
;; (agentmd-setup)

;;; Code:

(require 'diff)
(require 'eglot)
(require 'flymake)
(require 'seq)
(require 'tabulated-list)

(defgroup agentmd nil
  "Language server for agent Markdown."
  :group 'tools)

(defcustom agentmd-command '("agentmd" "server")
  "The command that starts the server."
  :type '(repeat string))

(defcustom agentmd-settings nil
  "Settings, as a plist with the same names as in `agentmd.toml'.
For example (:ignore [\"markdownlang/unknown-field\"]).
If the project has such a file, it takes precedence."
  :type 'plist)

(defun agentmd-contact (&optional _interactive)
  "The command that starts the server, and its first settings."
  (append agentmd-command (and agentmd-settings (list :initializationOptions agentmd-settings))))

(defun agentmd--configuration (_server)
  "The settings, when the server asks for them."
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
  "The region, or point, as (BEGIN END)."
  (if (use-region-p) (list (region-beginning) (region-end)) (list (point) (point))))

(defun agentmd-apply (begin end)
  "Choose which edits between BEGIN and END to apply to their files.
Without a region, these are the edits of the block at point,
and all edits of the document together."
  (interactive (agentmd--range))
  (eglot-code-actions begin end "refactor" t))

(defun agentmd-fix-all ()
  "Apply all safe fixes."
  (interactive)
  (eglot-code-actions (point-min) (point-max) "source.fixAll" t))

(defun agentmd--code ()
  "The rule of the finding at point or in this line."
  (let ((found (or (flymake-diagnostics (point))
                   (flymake-diagnostics (line-beginning-position) (line-end-position)))))
    (seq-some (lambda (finding)
                (let ((text (flymake-diagnostic-text finding)))
                  (and (string-match "agentmd \\[\\([^]]+\\)\\]" text) (match-string 1 text))))
              found)))

(defun agentmd-explain (code)
  "Show the page of the rule CODE, which the program contains.
Interactively, this is the rule of the finding at point."
  (interactive (list (or (agentmd--code) (read-string "Rule: "))))
  (let ((page (eglot-execute-command (eglot--current-server-or-lose) 'agentmd.explain (vector (list :code code)))))
    (with-help-window (format "*agentmd %s*" code)
      (princ page))))

(defun agentmd-copy-selector ()
  "Copy the selector of the block at point to the kill ring."
  (interactive)
  (let* ((server (eglot--current-server-or-lose))
         (place (eglot--TextDocumentPositionParams))
         (arguments (vector (list :uri (plist-get (plist-get place :textDocument) :uri) :position (plist-get place :position))))
         (answer (eglot-execute-command server "agentmd.copySelector" arguments))
         (selector (if (stringp answer) answer (plist-get answer :selector))))
    (unless selector
      (user-error "No block at point"))
    (kill-new selector)
    (message "%s" selector)))

;; The review of a reply: the server lists, compares and applies its edits.

(defvar agentmd--decisions (make-hash-table :test #'equal)
  "Decisions on edits while Emacs runs, by the reply and the key of the edit.")

(defvar-local agentmd--reply nil "The buffer of the reply that this list reviews.")
(defvar-local agentmd--version nil "The version of the reply that this list shows.")

(defun agentmd--ask (command &rest argument)
  "Ask the server of the reply to run COMMAND with ARGUMENT, a plist."
  (with-current-buffer agentmd--reply
    (let ((uri (plist-get (eglot--TextDocumentIdentifier) :uri)))
      (eglot-execute-command (eglot--current-server-or-lose) command
                             (vector (append (list :uri uri) argument))))))

(defun agentmd--first (items)
  "The first of the vector ITEMS, or nil."
  (seq-find #'identity items))

(defun agentmd--decision (edit)
  "The decision on EDIT: `accepted', `rejected', `applied', or a place."
  (gethash (cons agentmd--reply (plist-get edit :key)) agentmd--decisions))

(defun agentmd--place-holds-p (edit place)
  "Whether PLACE is still one to choose for EDIT."
  (pcase (plist-get edit :state)
    ("likely" (plist-get place :confirmed))
    ("ambiguous" (or (plist-get place :everywhere)
                     (seq-some (lambda (one) (equal (plist-get one :line) (plist-get place :at)))
                               (plist-get edit :places))))))

(defun agentmd--standing (edit)
  "The state of EDIT in a word: what the server says, and what was decided."
  (let ((decision (agentmd--decision edit)) (state (plist-get edit :state)))
    ;; After an edit is applied, the same text may occur elsewhere.
    (cond ((or (equal state "done") (eq decision 'applied)) "applied")
          ((eq decision 'rejected) "rejected")
          ((equal state "refused") "can't be applied")
          ((and decision (equal state "fits")) "accepted")
          ((and (consp decision) (agentmd--place-holds-p edit decision)) "accepted")
          ((equal state "fits") "open")
          (t "choose a place"))))

(defun agentmd--choice (edit)
  "EDIT as the server's commands take it."
  (let ((decision (agentmd--decision edit)))
    (append (list :block (plist-get edit :block))
            (and (consp decision) (not (equal (plist-get edit :state) "fits")) decision))))

(defun agentmd--refresh ()
  "Ask for the edits again, and list them."
  (let ((answer (agentmd--ask 'agentmd.review)))
    (setq agentmd--version (plist-get answer :version)
          tabulated-list-entries
          (mapcar (lambda (edit)
                    (let ((line (plist-get edit :line)))
                      (list edit (vector (agentmd--standing edit)
                                         (concat (plist-get edit :title) (and line (format ", line %d" (1+ line))))
                                         (or (plist-get edit :message) "")))))
                  (plist-get answer :edits)))
    (tabulated-list-print t)))

(defun agentmd--edit ()
  "The edit in this line of the list."
  (or (tabulated-list-get-id) (user-error "No edit in this line")))

(defun agentmd--decide (decision)
  "Record DECISION on the edit in this line, and go to the next one."
  (puthash (cons agentmd--reply (plist-get (agentmd--edit) :key)) decision agentmd--decisions)
  (agentmd--refresh)
  (when decision (forward-line))
  (when (eobp) (forward-line -1)))

(defun agentmd-review-accept ()
  "Accept this edit.  If its place is in doubt, choose one."
  (interactive)
  (let* ((edit (agentmd--edit))
         (places (append (plist-get edit :places) nil))
         (row (lambda (place)
                (cons (format "Line %d: %s" (1+ (plist-get place :line)) (plist-get place :text))
                      (if (equal (plist-get edit :state) "likely")
                          '(:confirmed t)
                        (list :at (plist-get place :line)))))))
    (pcase (plist-get edit :state)
      ("fits" (agentmd--decide 'accepted))
      ((or "likely" "ambiguous")
       (let* ((rows (append (mapcar row places)
                            (and (cdr places) '(("All places" . (:everywhere t))))
                            '(("Reject this change" . rejected))))
              (chosen (completing-read (concat (plist-get edit :title) ": where? ") rows nil t)))
         (agentmd--decide (cdr (assoc chosen rows)))))
      (_ (user-error "%s: %s" (agentmd--standing edit) (or (plist-get edit :message) ""))))))

(defun agentmd-review-reject ()
  "Reject this edit."
  (interactive)
  (agentmd--decide 'rejected))

(defun agentmd-review-undo ()
  "Take back the decision on this edit."
  (interactive)
  (agentmd--decide nil))

(defun agentmd-review-diff ()
  "Show what this edit changes in its file."
  (interactive)
  (let* ((edit (agentmd--edit))
         (choice (agentmd--choice edit))
         (first (agentmd--first (plist-get edit :places)))
         (choice (cond ((equal (agentmd--standing edit) "accepted") choice)
                       ((equal (plist-get edit :state) "likely") (append choice '(:confirmed t)))
                       (first (append choice (list :at (plist-get first :line))))
                       (t choice)))
         (answer (agentmd--ask 'agentmd.compare :version agentmd--version
                               :choices (vector choice) :to (plist-get edit :to)))
         (file (agentmd--first (plist-get answer :files))))
    (unless file
      (user-error "%s: %s" (plist-get edit :title)
                  (or (plist-get edit :message) (plist-get (agentmd--first (plist-get answer :refused)) :message)
                      "nothing to change")))
    (let ((sides (mapcar (lambda (text)
                           (let ((side (make-temp-file "agentmd")))
                             (let ((coding-system-for-write 'utf-8-unix)) (write-region (or text "") nil side nil 'silent))
                             side))
                         (list (plist-get file :before) (plist-get file :after)))))
      (unwind-protect
          (let ((labels (list (concat "--label=" (plist-get file :name)) (concat "--label=" (plist-get file :name)))))
            (display-buffer (diff-no-select (car sides) (cadr sides) (cons "-u" labels) t)))
        (mapc #'delete-file sides)))
    (when (agentmd--first (plist-get file :doubts))
      (message "Look closely: %s %s" (plist-get file :name) (mapconcat #'identity (plist-get file :doubts) ", ")))))

(defun agentmd-review-apply ()
  "Apply the accepted edits to their files' buffers."
  (interactive)
  (agentmd--refresh)
  (let ((goals nil) (keys nil))
    (dolist (entry tabulated-list-entries)
      (let ((edit (car entry)))
        (when (equal (agentmd--standing edit) "accepted")
          (push (plist-get edit :key) keys)
          (push (agentmd--choice edit) (alist-get (plist-get edit :to) goals nil nil #'equal)))))
    (unless goals
      (user-error "Accept a change first"))
    (pcase-dolist (`(,goal . ,choices) goals)
      (agentmd--ask 'agentmd.apply :version agentmd--version :choices (vconcat (reverse choices)) :to goal))
    (dolist (key keys)
      (puthash (cons agentmd--reply key) 'applied agentmd--decisions))
    (agentmd--refresh)
    (message "Applied %d %s" (length keys) (if (cdr keys) "changes" "change"))))

(defvar agentmd-review-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'agentmd-review-accept)
    (define-key map "r" #'agentmd-review-reject)
    (define-key map "u" #'agentmd-review-undo)
    (define-key map (kbd "RET") #'agentmd-review-diff)
    (define-key map "x" #'agentmd-review-apply)
    map)
  "Keys of the list of edits.")

(define-derived-mode agentmd-review-mode tabulated-list-mode "agentmd review"
  "Major mode for the list of a reply's edits.
\\{agentmd-review-mode-map}"
  (setq tabulated-list-format [("State" 16 t) ("Edit" 40 t) ("Note" 0 nil)])
  (tabulated-list-init-header))

;;;###autoload
(defun agentmd-review ()
  "List the edits of the reply in this buffer, to decide on one by one.
Decisions are kept while Emacs runs."
  (interactive)
  (let ((reply (current-buffer)) (list (get-buffer-create (format "*agentmd review: %s*" (buffer-name)))))
    (eglot--signal-textDocument/didChange)
    (with-current-buffer list
      (agentmd-review-mode)
      (setq agentmd--reply reply)
      (setq-local revert-buffer-function (lambda (&rest _) (agentmd--refresh)))
      (agentmd--refresh)
      (unless tabulated-list-entries
        (user-error "This document has no edits to review"))
      (goto-char (point-min)))
    (pop-to-buffer list)
    (message "a accept, r reject, u undo, RET compare, x apply, q close")))

;; The agent files of the project, as each client sees them.

(defvar agentmd-files-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'agentmd-files-open)
    map)
  "Keys of the list of agent files.")

(define-derived-mode agentmd-files-mode tabulated-list-mode "agentmd files"
  "Major mode for the list of a project's agent files.
\\{agentmd-files-mode-map}"
  (setq tabulated-list-format [("Client" 18 t) ("Kind" 12 t) ("Name" 28 t) ("State" 16 t) ("Tokens" 0 nil)])
  (tabulated-list-init-header))

(defun agentmd--tokens (client file)
  "What FILE costs CLIENT, and when."
  (let ((sign (if (equal (plist-get client :counted) "bytes/4") "~" "")))
    (string-join
     (delq nil (mapcar (lambda (part)
                         (let ((count (or (plist-get file (car part)) 0)))
                           (unless (zerop count) (format "%s%d %s" sign count (cdr part)))))
                       '((:always . "always") (:matched . "when files match") (:on_demand . "on demand"))))
     ", ")))

(defun agentmd--file-rows (overview root)
  "The rows of OVERVIEW, whose paths begin at ROOT."
  (append
   (seq-mapcat
    (lambda (client)
      (mapcar (lambda (file)
                (let ((path (expand-file-name (plist-get file :path) root)))
                  (list (cons path (plist-get client :client))
                        (vector (plist-get client :title) (plist-get file :kind) (plist-get file :name)
                                (replace-regexp-in-string "-" " " (plist-get file :outcome))
                                (agentmd--tokens client file)))))
              (plist-get client :files)))
    (plist-get overview :clients))
   (mapcar (lambda (program)
             (list (cons (expand-file-name (plist-get program :path) root) "")
                   (vector "" "program" (plist-get program :name) "" "")))
           (plist-get overview :programs))))

(defun agentmd-files-open ()
  "Visit the file of this line."
  (interactive)
  (let ((row (tabulated-list-get-id)))
    (unless row
      (user-error "There is no file on this line"))
    (find-file (car row))))

;;;###autoload
(defun agentmd-files ()
  "List the agent files and programs of this project.
Each client has its own lines, with its verdict and the tokens."
  (interactive)
  (let* ((buffer (current-buffer))
         (root (project-root (eglot--project (eglot--current-server-or-lose))))
         (ask (lambda ()
                (with-current-buffer buffer
                  (agentmd--file-rows
                   (eglot-execute-command (eglot--current-server-or-lose) 'agentmd.overview
                                          (vector (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri))))
                   root))))
         (rows (funcall ask)))
    (unless rows
      (user-error "This project has no agent files or programs yet"))
    (with-current-buffer (get-buffer-create "*agentmd files*")
      (agentmd-files-mode)
      (setq tabulated-list-entries ask)
      (tabulated-list-print)
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

;; Eglot has no code lenses, so these commands replace them.

(defun agentmd--file ()
  "The file of this buffer, which is saved first."
  (unless buffer-file-name
    (user-error "Save the file first"))
  (when (buffer-modified-p)
    (save-buffer))
  buffer-file-name)

(defun agentmd-run (input)
  "Run this program with INPUT, which is JSON.
If INPUT is empty, run it with its sample."
  (interactive (list (read-string "Input (JSON, empty for the sample): ")))
  (let* ((file (agentmd--file))
         (more (if (string-empty-p input) '("--sample") (list "--input" input))))
    (compile (mapconcat #'shell-quote-argument (append (list (car agentmd-command) "run" file) more) " "))))

(defun agentmd-test ()
  "Run the tests of this program or test file.
`next-error' visits the cases that fail."
  (interactive)
  (let ((file (agentmd--file)))
    (compile (mapconcat #'shell-quote-argument (list (car agentmd-command) "test" file) " "))))

(defun agentmd--preview (program shown)
  "Render the buffer PROGRAM into the buffer SHOWN."
  (when (and (buffer-live-p program) (buffer-live-p shown))
    (let* ((answer (with-current-buffer program
                     (eglot--signal-textDocument/didChange)
                     (eglot-execute-command (eglot--current-server-or-lose) 'agentmd.preview
                                            (vector (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri))))))
           (problems (mapcar (lambda (problem) (plist-get problem :message)) (plist-get answer :problems)))
           (tokens (plist-get answer :tokens)))
      (with-current-buffer shown
        (let ((inhibit-read-only t) (place (point)))
          (when (plist-get answer :text)
            (erase-buffer)
            (insert (plist-get answer :text))
            (goto-char (min place (point-max)))))
        (setq header-line-format
              (replace-regexp-in-string
               "%" "%%" (mapconcat #'identity (if tokens (cons (format "about %d tokens" tokens) problems) problems) " · ")))))))

;;;###autoload
(defun agentmd-preview ()
  "Show the prompt of this program next to it, and while you type."
  (interactive)
  (let ((program (current-buffer))
        (shown (get-buffer-create (format "*agentmd preview: %s*" (buffer-name))))
        (timer nil))
    (with-current-buffer shown (special-mode) (setq-local truncate-lines nil))
    (agentmd--preview program shown)
    (display-buffer shown)
    (add-hook 'after-change-functions
              (lambda (&rest _)
                (when timer (cancel-timer timer))
                (setq timer (run-with-idle-timer 0.2 nil #'agentmd--preview program shown)))
              nil t)))

(define-derived-mode agentmd-test-mode prog-mode "agentmd test"
  "Major mode for test files of programs, which are YAML."
  (setq-local comment-start "# " comment-end "" indent-tabs-mode nil))

(provide 'agentmd)
;;; agentmd.el ends here
