//! Replies of every kind, as drafts.
