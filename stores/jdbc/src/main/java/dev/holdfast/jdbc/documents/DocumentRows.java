package dev.holdfast.jdbc.documents;

import dev.holdfast.documents.AttributeText;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.Prefix;
import dev.holdfast.jdbc.table.SqlQuery;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of {@code holdfast_document}. */
final class DocumentRows {
    /** In the order {@link #row} reads them. */
    static final String COLUMNS = "name, tag, size, attributes, content";

    private static final String INSERT =
            "insert into holdfast_document (tag, size, attributes, content, leaf, name) values (?, ?, ?, ?, ?, ?)";
    private static final String UPDATE =
            "update holdfast_document set tag = ?, size = ?, attributes = ?, content = ? where leaf = ? and name = ?";
    private static final String DELETE = "delete from holdfast_document where name = ?";
    /** No name has this character, and every one that starts as a text before it comes before the two together. */
    private static final char LAST = '\u007f';

    private DocumentRows() {}

    /** A row: what the store tells, and the id of the content, empty if that is empty. */
    record Row(DocumentHead head, String content) {}

    /** Those of these names that are there. */
    static List<Row> find(Session session, List<String> names, String forUpdate) throws SQLException {
        String places = String.join(", ", Collections.nCopies(names.size(), "?"));
        String sql = "select " + COLUMNS + " from holdfast_document where name in (" + places + ") order by name"
                + forUpdate;
        return session.all(sql, DocumentRows::row, names.toArray());
    }

    static Row row(ResultSet row) throws SQLException {
        String name = row.getString(1);
        return new Row(
                new DocumentHead(name, row.getString(2), row.getLong(3), attributes(name, row.getString(4))),
                row.getString(5));
    }

    private static Map<String, String> attributes(String name, String text) {
        try {
            return AttributeText.read(text);
        } catch (IllegalArgumentException e) {
            throw new StoreUnusableException(
                    "The attributes of document '" + name + "' cannot be read (" + e.getMessage()
                            + "). It was not touched; restore its row of holdfast_document from a backup",
                    e);
        }
    }

    static void put(Session session, Row row, boolean isThere) throws SQLException {
        DocumentHead head = row.head();
        session.update(
                isThere ? UPDATE : INSERT,
                head.tag(),
                head.size(),
                AttributeText.of(head.attributes()),
                row.content(),
                DocumentNames.leaf(head.name()),
                head.name());
    }

    static void delete(Session session, String name) throws SQLException {
        session.update(DELETE, name);
    }

    static DocumentPage list(Session session, ListRequest request) throws SQLException {
        if (!isAscii(request.prefix())
                || !request.leaf().map(DocumentRows::isAscii).orElse(true)) {
            return new DocumentPage(List.of(), Optional.empty()); // no name is so
        }
        SqlQuery query = new SqlQuery("select " + COLUMNS + " from holdfast_document where name >= ?");
        query.add("", request.prefix());
        Prefix.end(request.prefix()).ifPresent(end -> query.and("name < ?", end));
        request.leaf().ifPresent(leaf -> query.and("leaf = ?", leaf));
        request.after().ifPresent(last -> query.and(request.newestFirst() ? "name < ?" : "name > ?", bound(last)));
        query.add(" order by name" + (request.newestFirst() ? " desc" : "") + " limit ?", request.limit() + 1L);
        List<DocumentHead> heads = new ArrayList<>();
        try (ResultSet row = query.run(session, Utc.COLUMN)) {
            while (row.next()) {
                heads.add(row(row).head());
            }
        }
        if (heads.size() <= request.limit()) {
            return new DocumentPage(heads, Optional.empty());
        }
        List<DocumentHead> page = heads.subList(0, request.limit());
        return new DocumentPage(page, Optional.of(page.get(page.size() - 1).name()));
    }

    /** The same place among names, which are ASCII, for any text. */
    private static String bound(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= LAST) {
                return text.substring(0, i) + LAST;
            }
        }
        return text;
    }

    private static boolean isAscii(String text) {
        return bound(text).equals(text);
    }
}
