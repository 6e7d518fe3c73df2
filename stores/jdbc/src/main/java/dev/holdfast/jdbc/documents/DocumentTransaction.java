package dev.holdfast.jdbc.documents;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.Tags;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.jdbc.connection.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Some changes in one transaction: the rows of the documents are locked and judged; contents are added, or taken away with their
 * last use; then the rows are changed. Rows of each table are locked in order, documents first, so that writers wait for one
 * another and not in circles.
 *
 * <p>A content is stored once, under its SHA-256, with the number of documents that have it. Whoever adds a use and whoever takes
 * the last one away change the same row, so the database lets one of them wait: no content goes away under a document that just
 * began to use it. The empty content is not stored: it is the one many documents have, and all their writers would wait there.
 */
final class DocumentTransaction {
    private final DocumentDialect dialect;
    private final List<Change> changes;
    private final List<String> names;
    /** What contents are called, by name of the document to be put; empty for the empty one. */
    private final Map<String, String> ids = new HashMap<>();
    /** The contents to be put, by what they are called. */
    private final Map<String, byte[]> contents = new HashMap<>();

    DocumentTransaction(DocumentDialect dialect, List<Change> changes) {
        this.dialect = dialect;
        this.changes = changes;
        this.names = changes.stream().map(Change::name).sorted().toList();
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                String id = put.content().length == 0 ? "" : put.sha256();
                ids.put(put.name(), id);
                contents.put(id, put.content());
            }
        }
    }

    /** Makes them and commits, or changes nothing. May be run again if it failed. */
    WriteOutcome run(Session session) throws SQLException {
        dialect.begin(session);
        Map<String, DocumentRows.Row> there = new HashMap<>();
        for (DocumentRows.Row row : DocumentRows.find(session, names, dialect.forUpdate())) {
            there.put(row.head().name(), row);
        }
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            Optional<DocumentHead> current =
                    Optional.ofNullable(there.get(change.name())).map(DocumentRows.Row::head);
            if (!change.condition().holds(current)) {
                session.rollback();
                return new WriteOutcome.Refused(i, current);
            }
        }
        Map<String, Integer> uses = uses(there);
        changeContents(session, uses);
        Map<String, DocumentHead> heads = changeDocuments(session, there);
        if (!dialect.countsUses()) {
            dropUnused(session, uses);
        }
        session.commit();
        List<DocumentHead> inOrder = new ArrayList<>(heads.size());
        for (Change change : changes) {
            Optional.ofNullable(heads.get(change.name())).ifPresent(inOrder::add);
        }
        return new WriteOutcome.Written(inOrder);
    }

    /** Bytes of all contents, each counted once. */
    long size() {
        return contents.values().stream().mapToLong(bytes -> bytes.length).sum();
    }

    /** By how much the uses of each content change. */
    private Map<String, Integer> uses(Map<String, DocumentRows.Row> there) {
        Map<String, Integer> uses = new TreeMap<>();
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                uses.merge(ids.getOrDefault(put.name(), ""), 1, Integer::sum);
            }
            if (!(change instanceof Change.Mark)) {
                Optional.ofNullable(there.get(change.name()))
                        .ifPresent(old -> uses.merge(old.content(), -1, Integer::sum));
            }
        }
        uses.remove("");
        return uses;
    }

    private void changeContents(Session session, Map<String, Integer> uses) throws SQLException {
        for (Map.Entry<String, Integer> content : uses.entrySet()) {
            if (content.getValue() > 0) {
                byte[] bytes = contents.getOrDefault(content.getKey(), new byte[0]);
                ContentRows.use(session, dialect, content.getKey(), content.getValue(), bytes);
            } else if (content.getValue() < 0 && dialect.countsUses()) {
                ContentRows.leave(session, dialect, content.getKey(), -content.getValue());
            }
        }
    }

    private void dropUnused(Session session, Map<String, Integer> uses) throws SQLException {
        for (Map.Entry<String, Integer> content : uses.entrySet()) {
            if (content.getValue() < 0) {
                ContentRows.dropUnused(session, dialect, content.getKey());
            }
        }
    }

    private Map<String, DocumentHead> changeDocuments(Session session, Map<String, DocumentRows.Row> there)
            throws SQLException {
        Map<String, DocumentHead> heads = new HashMap<>();
        List<Change> ordered =
                changes.stream().sorted(Comparator.comparing(Change::name)).toList();
        for (Change change : ordered) {
            Optional<DocumentRows.Row> old = Optional.ofNullable(there.get(change.name()));
            if (change instanceof Change.Delete) {
                if (old.isPresent()) {
                    DocumentRows.delete(session, change.name());
                }
                continue;
            }
            DocumentRows.Row next = next(change, old);
            DocumentRows.put(session, next, old.isPresent());
            heads.put(change.name(), next.head());
        }
        return heads;
    }

    private DocumentRows.Row next(Change change, Optional<DocumentRows.Row> old) {
        if (change instanceof Change.Put put) {
            return new DocumentRows.Row(
                    new DocumentHead(put.name(), Tags.fresh(), put.content().length, put.attributes()),
                    ids.getOrDefault(put.name(), ""));
        }
        Change.Mark mark = (Change.Mark) change;
        DocumentRows.Row marked = old.orElseThrow(); // its condition names a tag, and holds
        return new DocumentRows.Row(
                new DocumentHead(mark.name(), Tags.fresh(), marked.head().size(), mark.attributes()), marked.content());
    }
}
