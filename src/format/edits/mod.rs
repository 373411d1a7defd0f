//! Edit blocks wherever they stand: in a bare reply, in what an assistant says in an LLMD document. What is common to both
//! is here: how the blocks of a text are written, what becomes of them, and what can be wrong with them.

pub mod written;
