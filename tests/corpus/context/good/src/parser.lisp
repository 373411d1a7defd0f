(defun read-header (line)
  (when (string= (subseq line 0 4) "### ")
    (subseq line 4)))

(defun print-header (type)
  (format t "### ~A~%" (string-capitalize type)))
