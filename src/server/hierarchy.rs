//! Call hierarchy and file renames: requests about the whole workspace.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tower_lsp::gen_lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, FileRename,
    RenameFilesParams, WorkspaceEdit,
};
use tower_lsp::jsonrpc::Result;

use super::backend::{Backend, RECENT};
use super::publish::Happened;
use super::uri::{self, Key};
use super::{convert, pool, whole, workspace_edit};
use crate::ide;

fn paths(files: &[FileRename]) -> Vec<(PathBuf, PathBuf)> {
    files
        .iter()
        .filter_map(|file| Some((uri::to_path(&file.old_uri.0)?, uri::to_path(&file.new_uri.0)?)))
        .collect()
}

impl Backend {
    pub(super) async fn callers(
        &self,
        item: CallHierarchyItem,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        let (session, key) = (Arc::clone(&self.session), Key::new(&item.uri));
        self.recent(RECENT).await;
        let Some(snapshot) = pool::ask(move |_| session.snapshot_of_file(&key)).await? else {
            return Ok(None);
        };
        whole::ask(snapshot, move |snapshot, cancellation| {
            let tool =
                item.data.as_ref().and_then(|data| data.get("tool")).and_then(|tool| tool.as_str());
            let cancelled = || cancellation.is_cancelled();
            let found = snapshot
                .with(&cancelled, |document, cx| ide::call_hierarchy::incoming(document, cx, tool));
            Some(convert::callers(snapshot, found))
        })
        .await
    }

    pub(super) async fn calls(
        &self,
        item: CallHierarchyItem,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        let session = Arc::clone(&self.session);
        pool::ask(move |cancellation| {
            // A tool of a server has no known calls.
            if item.data.as_ref().is_some_and(|data| data.get("tool").is_some()) {
                return Some(Vec::new());
            }
            let snapshot = session.snapshot_of_file(&Key::new(&item.uri))?;
            let found =
                snapshot.with(&|| cancellation.is_cancelled(), ide::call_hierarchy::outgoing);
            Some(convert::calls(&snapshot, found))
        })
        .await
    }

    /// The edits that keep imports working, in the documents once the index is up to date.
    pub(super) async fn files_to_be_renamed(
        &self,
        params: RenameFilesParams,
    ) -> Result<Option<WorkspaceEdit>> {
        let (moves, client) = (paths(&params.files), self.session.client());
        self.recent(Duration::ZERO).await;
        let world = self.session.world_of(self.session.documents());
        whole::ask(world, move |world, cancellation| {
            let edits = ide::workspace::moves(world, &moves, &|| cancellation.is_cancelled());
            if edits.is_empty() || cancellation.is_cancelled() {
                return None;
            }
            workspace_edit::renaming(world, &client, None, &edits)
        })
        .await
    }

    pub(super) fn files_renamed(&self, params: &RenameFilesParams) {
        let (moves, invalidator) = (paths(&params.files), self.invalidator());
        pool::start(move || {
            let old: HashSet<&Path> = moves.iter().map(|(old, _)| old.as_path()).collect();
            let inside =
                |path: &Path| path.ancestors().any(|above| old.contains(above)).then_some(());
            let inside = invalidator.index.paths_where(inside).into_iter();
            let mut touched: BTreeSet<PathBuf> = inside.map(|(path, ())| path).collect();
            for (old, new) in &moves {
                touched.extend(invalidator.index.found_below(&invalidator.session, new));
                touched.extend([old.clone(), new.clone()]);
            }
            let touched: Vec<PathBuf> = touched.into_iter().collect();
            invalidator.took_place(&touched, Happened { in_folder: true, elsewhere: true });
        });
    }
}
