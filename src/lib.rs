pub mod text;
pub mod markdown;
pub mod source;
pub mod yaml;
