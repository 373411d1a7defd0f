(in-package :agent)

(defun send-to-agent (instruction &key (timeout 30))
  (process-with-llm instruction timeout))

(defun reset-agent ()
  (setf *history* nil))
