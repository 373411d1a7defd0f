;;; drive.el --- Tests the server in a real Emacs, without a screen  -*- lexical-binding: t -*-

;; AGENTMD=target/release/agentmd emacs --batch -l editors/emacs/drive.el

;;; Commentary:

;; Eglot, flymake, xref, imenu and completion run as they do on a screen.  The exit status is 0 if every step succeeds.

;;; Code:

(package-initialize)
(add-to-list 'load-path (file-name-directory load-file-name))
(require 'agentmd)
(require 'flymake)
(require 'markdown-mode)
(require 'project)
(require 'xref)

(defvar drive-here (file-name-directory load-file-name))
(defvar drive-passed 0)
(defvar drive-failed 0)
(defvar drive-root (file-name-as-directory (make-temp-file "agentmd-emacs" t)))
(defvar drive-program
  "---\nname: triage\ndescription: Sorts the tickets of a day and drafts an answer\ninput:\n  type: object\n  properties:\n    customer:\n      type: object\n      properties:\n        name: { type: string }\n        email: { type: string }\n  required: [customer]\noutput:\n  type: object\n  properties:\n    urgent: { type: boolean }\n  required: [urgent]\n---\n\n# Triage\n\nDear {{ .customer.nmae }}, 日本 😀 {{ .customer.email }}\n")
(defvar drive-reply
  "[REASONING]\nThe greeting is in the wrong language.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.8\n[FOCUS] 0.9\n[STAMINA] 0.8\n\n[ACTION_0_TYPE] edit_file\n[ACTION_0_PATH] greet.txt\n[ACTION_0_CONTENT_START]\nHei maailma\n[ACTION_0_CONTENT_END]\n\n[ACTION_1_TYPE] finish\n[ACTION_1_RESULT] done\n")

(defvar drive-blocks
  "Read this. 🦆\n\ngreet.txt\n<<<<<<< SEARCH\nHei maailma\n=======\nTerve maailma\n>>>>>>> REPLACE\n\nother.txt\n<<<<<<< SEARCH\none\n=======\nyksi\n>>>>>>> REPLACE\n")
(defvar drive-skill "---\r\nname: notes\r\ndescription: Use when: asked 日本\r\n---\r\n\r\n# Notes\r\n\r\n## First\r\n")

(setq agentmd-command (list (expand-file-name (or (getenv "AGENTMD") "target/release/agentmd")) "server")
      eglot-autoreconnect nil
      eglot-autoshutdown nil
      eglot-confirm-server-initiated-edits nil
      eglot-send-changes-idle-time 0.05
      eglot-sync-connect 20
      make-backup-files nil
      create-lockfiles nil
      vc-handled-backends nil)
(cl-defmethod project-root ((project (head drive))) (cdr project))
(add-hook 'project-find-functions (lambda (_folder) (cons 'drive drive-root)))

(defun drive-wait (holds)
  "Wait up to ten seconds until HOLDS returns non-nil, and return its value."
  (let ((end (time-add nil 10)) found)
    (while (and (not (setq found (funcall holds))) (time-less-p nil end))
      (accept-process-output nil 0.02))
    found))

(defmacro drive-step (name &rest body)
  "Run BODY as the step NAME, which succeeds if its value is non-nil."
  (declare (indent 1))
  `(let ((started (current-time)) found wrong)
     (condition-case problem (setq found (progn ,@body)) (error (setq wrong problem)))
     (if found (setq drive-passed (1+ drive-passed)) (setq drive-failed (1+ drive-failed)))
     (princ (format "%s %-12s %5.0f ms  %s\n" (if found "ok  " "FAIL") ,name (* 1000 (float-time (time-since started)))
                    (replace-regexp-in-string "\n" " " (format "%s" (or wrong found)))))))

(defun drive-open (name text)
  "Open a file NAME of the project with TEXT in it."
  (let ((file (expand-file-name name drive-root)))
    (unless (file-exists-p file)
      (let ((coding-system-for-write 'utf-8)) (write-region text nil file nil 'silent)))
    (find-file file)
    ;; `eglot-ensure' waits for a command, which never comes in batch mode.
    (unless (eglot-managed-p) (apply #'eglot (eglot--guess-contact)))))

(defun drive-go (text)
  "Put the cursor after the first TEXT, with the server up to date."
  (drive-sync)
  (goto-char (point-min))
  (search-forward text))

(defun drive-sync ()
  "Send what was typed to the server."
  (eglot--signal-textDocument/didChange))

(defun drive-titles (actions)
  "The titles of ACTIONS."
  (mapcar (lambda (action) (plist-get action :title)) actions))

(defun drive-take (actions title)
  "Run the first of ACTIONS whose title contains TITLE, as eglot does when it is chosen."
  (let* ((action (seq-find (lambda (action) (string-search title (plist-get action :title))) actions))
         (edit (plist-get action :edit))
         (command (plist-get action :command)))
    (when edit (eglot--apply-workspace-edit edit))
    (when command
      (eglot-execute-command (eglot-current-server) (intern (plist-get command :command)) (plist-get command :arguments)))
    (and action t)))

(agentmd-setup)
(write-region "one\n" nil (expand-file-name "other.txt" drive-root) nil 'silent)
(write-region "Hello world\n" nil (expand-file-name "greet.txt" drive-root) nil 'silent)

(drive-step "package"
  (let* ((recipe (with-temp-buffer
                   (insert-file-contents (expand-file-name "../../packaging/melpa/agentmd" drive-here))
                   (read (current-buffer))))
         (file (expand-file-name (concat "../../" (car (plist-get (cdr recipe) :files))) drive-here))
         (copy (expand-file-name "agentmd.el" drive-root))
         (byte-compile-error-on-warn t))
    (copy-file file copy)
    (and (byte-compile-file copy)
         (with-temp-buffer (insert-file-contents copy) (emacs-lisp-mode) (package-version-join (package-desc-version (package-buffer-info)))))))

(drive-step "attach"
  (drive-open "triage.md" drive-program)
  (and (eglot-managed-p) (plist-get (eglot--server-info (eglot-current-server)) :version)))

(drive-step "diagnostics"
  (flymake-start)
  (let ((found (drive-wait (lambda () (seq-filter (lambda (one) (string-search "nmae" (flymake-diagnostic-text one))) (flymake-diagnostics))))))
    (and found
         (equal (buffer-substring (flymake-diagnostic-beg (car found)) (flymake-diagnostic-end (car found))) "nmae")
         (flymake-diagnostic-text (car found)))))

(drive-step "hover"
  (drive-go "{{ .cust")
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (drive-wait (lambda () (and shown (string-search "customer" (substring-no-properties shown)) (substring-no-properties shown))))))

(drive-step "columns"
  (drive-go "{{ .customer.email")
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (drive-wait (lambda () (and shown (string-search "email" (substring-no-properties shown)) t)))))

(drive-step "completion"
  (goto-char (point-max))
  (insert "\n{{ .customer.")
  (drive-sync)
  (let* ((found (eglot-completion-at-point))
         (items (all-completions (buffer-substring (nth 0 found) (nth 1 found)) (nth 2 found))))
    (delete-region (line-beginning-position) (point-max))
    (drive-sync)
    (and (member "email" (mapcar #'substring-no-properties items)) (member "name" (mapcar #'substring-no-properties items)) items)))

(drive-step "explain"
  (drive-go ".customer.n")
  (agentmd-explain (agentmd--code))
  (with-current-buffer "*agentmd markdownlang/unknown-variable*"
    (and (string-search "# markdownlang/unknown-variable" (buffer-string)) t)))

(drive-step "disable"
  (drive-go ".customer.n")
  (let ((titles (drive-titles (append (eglot-code-actions (point) (point)) nil))))
    (and (member "Disable `markdownlang/unknown-variable` here" titles)
         (member "Disable `markdownlang/unknown-variable` in this file" titles)
         t)))

(drive-step "quick fix"
  (drive-go ".customer.n")
  (and (drive-take (append (eglot-code-actions (point) (point)) nil) "`name`")
       (drive-wait (lambda () (save-excursion (goto-char (point-min)) (search-forward "Dear {{ .customer.name }}" nil t))))))

(drive-step "definition"
  (drive-go ".customer.na")
  (let ((found (xref-backend-definitions 'eglot "LSP identifier at point.")))
    (and (= 10 (xref-location-line (xref-item-location (car found)))) (length found))))

(drive-step "references"
  (drive-go "    customer")
  (backward-char 2)
  (let ((found (xref-backend-references 'eglot "LSP identifier at point.")))
    (and (>= (length found) 2) (length found))))

(drive-step "rename"
  (drive-go "    customer")
  (backward-char 2)
  (eglot-rename "client")
  (let ((text (buffer-string)))
    (and (string-search "required: [client]" text) (string-search "{{ .client.email }}" text) t)))

(drive-step "outline"
  (let ((names (flatten-tree (funcall imenu-create-index-function))))
    (and (seq-some (lambda (name) (and (stringp name) (string-search "Triage" name))) names) t)))

(drive-step "symbols"
  (let ((found (jsonrpc-request (eglot-current-server) :workspace/symbol '(:query "Triage"))))
    (and (> (length found) 0) (length found))))

(drive-step "apply"
  (set-buffer-modified-p nil)
  ;; Eglot asks about files without a buffer, and nobody can answer in batch mode.
  (find-file-noselect (expand-file-name "greet.txt" drive-root))
  (drive-open "reply.md" drive-reply)
  (drive-go "[ACTION_0_TYPE")
  (let ((actions (append (eglot-code-actions (point) (point) "refactor") nil)))
    (and (drive-take actions "greet.txt")
         (with-current-buffer (find-file-noselect (expand-file-name "greet.txt" drive-root))
           (and (equal (buffer-string) "Hei maailma") (drive-titles actions))))))

(defun drive-text (name)
  "The text of the file NAME of the project, in its buffer."
  (with-current-buffer (find-file-noselect (expand-file-name name drive-root)) (buffer-string)))

(drive-step "edit block"
  (with-current-buffer (find-file-noselect (expand-file-name "greet.txt" drive-root)) (save-buffer))
  (find-file-noselect (expand-file-name "other.txt" drive-root))
  (drive-open "blocks.md" drive-blocks)
  (drive-go "Terve")
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (drive-wait (lambda () (and shown (string-search "+Terve maailma" (substring-no-properties shown)) t)))))

(drive-step "apply all"
  (drive-go "Terve")
  (and (drive-take (append (eglot-code-actions (point) (point)) nil) "Apply 2 changes in 2 files")
       (drive-wait (lambda () (and (string-prefix-p "Terve maailma" (drive-text "greet.txt")) (equal (drive-text "other.txt") "yksi\n"))))))

(drive-step "review"
  (write-region "one\ntwo\none\n" nil (expand-file-name "twice.txt" drive-root) nil 'silent)
  (find-file-noselect (expand-file-name "twice.txt" drive-root))
  (drive-open "review.md" "Read this. 🦆\n\ntwice.txt\n<<<<<<< SEARCH\ntwo\n=======\nkaksi\n>>>>>>> REPLACE\n\ntwice.txt\n<<<<<<< SEARCH\none\n=======\nyksi\n>>>>>>> REPLACE\n\nother.txt\n<<<<<<< SEARCH\nnowhere\n=======\nx\n>>>>>>> REPLACE\n")
  (cl-flet ((states () (mapcar (lambda (entry) (aref (cadr entry) 0)) tabulated-list-entries)))
    (let (first diff placed)
      (agentmd-review)
      (setq first (states))
      (agentmd-review-diff)
      (setq diff (with-current-buffer "*Diff*" (buffer-string)))
      (agentmd-review-accept)
      (cl-letf (((symbol-function 'completing-read) (lambda (_prompt rows &rest _) (car (nth 1 rows)))))
        (agentmd-review-accept))
      (setq placed (states))
      (agentmd-review-apply)
      (and (equal first '("open" "choose a place" "can't be applied"))
           (string-search "+kaksi" diff)
           (equal placed '("accepted" "accepted" "can't be applied"))
           (drive-wait (lambda () (equal (drive-text "twice.txt") "one\nkaksi\nyksi\n")))
           (equal (seq-take (states) 2) '("applied" "applied"))))))

(drive-step "preview"
  (drive-open "greet.md" "---\nname: greet\ndescription: Greets a person\ninput:\n  type: object\n  properties:\n    who: { type: string }\n  required: [who]\nsample: { who: Ann }\noutput:\n  type: object\n---\n\nGreet {{ .who }}.\n")
  (agentmd-preview)
  (let ((first (with-current-buffer "*agentmd preview: greet.md*" (buffer-string))))
    (drive-go "Greet ")
    (insert "日 ")
    (set-buffer-modified-p nil)
    (run-hooks 'post-command-hook)
    (agentmd--preview (current-buffer) (get-buffer "*agentmd preview: greet.md*"))
    (and (equal first "Greet Ann.\n")
         (equal (with-current-buffer "*agentmd preview: greet.md*" (buffer-string)) "Greet 日 Ann.\n"))))

(drive-step "fix all"
  (drive-open "dos.md" drive-skill)
  (and (eq (coding-system-eol-type buffer-file-coding-system) 1)
       (cl-letf (((symbol-function 'completing-read) (lambda (_prompt actions &rest _) (if (consp (car actions)) (caar actions) (car actions)))))
         (agentmd-fix-all)
         (drive-wait (lambda () (string-search "description: \"Use when: asked 日本\"\n" (buffer-string)))))))

(drive-step "files"
  (let ((folder (expand-file-name ".claude/skills/tea/" drive-root)))
    (make-directory folder t)
    (drive-open ".claude/skills/tea/SKILL.md" "---\nname: tea\ndescription: Brews tea when somebody is thirsty\n---\n\nBoil water.\n")
    (let ((home (current-buffer)))
      (drive-wait (lambda () (with-current-buffer home (ignore-errors (agentmd-files)) (with-current-buffer "*agentmd files*" (string-search "Claude Code" (buffer-string))))))
      (with-current-buffer "*agentmd files*"
        (goto-char (point-min))
        (search-forward "tea")
        (let ((line (buffer-substring-no-properties (line-beginning-position) (line-end-position))))
          (agentmd-files-open)
          (and (string-match-p "skill +tea +loaded +~[0-9]+ always" line)
               (string-suffix-p "tea/SKILL.md" buffer-file-name)
               (string-trim line)))))))

(drive-step "selector"
  (find-file (expand-file-name "dos.md" drive-root))
  (drive-go "## First")
  (agentmd-copy-selector)
  (let ((kill-transform-function nil)) (current-kill 0 t)))

(drive-step "crash"
  (let ((server (eglot-current-server)))
    (signal-process (jsonrpc--process server) 'KILL)
    (drive-wait (lambda () (not (jsonrpc-running-p server))))
    ;; `M-x eglot', as eglot's message suggests.
    (apply #'eglot (eglot--guess-contact))
    (drive-wait (lambda () (let ((other (eglot-current-server))) (and other (not (eq other server)) (jsonrpc-running-p other)))))))

(drive-step "shutdown"
  (let ((server (eglot-current-server)))
    (eglot-shutdown server nil 5)
    (not (jsonrpc-running-p server))))

(dolist (buffer (buffer-list))
  (with-current-buffer buffer (set-buffer-modified-p nil)))
(delete-directory drive-root t)
(princ (format "%d passed, %d failed\n" drive-passed drive-failed))
(kill-emacs (if (and (zerop drive-failed) (> drive-passed 0)) 0 1))
;;; drive.el ends here
