package dev.holdfast.server.notify;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How far a webhook was told, in a document beside the locks: {@code {"format":1,"after":1041,"waits_until":"…"}}, and the fencing token
 * of the sender beside it.
 *
 * <p>A sender {@link #claim claims} the document before it sends anything: from then on no sender with a lower token can write it, since
 * every write is conditional on the tag of the one before. Its calls block. For one thread.
 */
final class PositionDocument {
    private static final long FORMAT = 1;
    private static final String TOKEN = "token";
    /** Only two senders can meet, and only while one replaces the other. */
    private static final int MAX_TRIES = 10;

    private final DocumentStore documents;
    private final String name;
    private final Token token;
    private Optional<String> tag = Optional.empty();

    PositionDocument(DocumentStore documents, Webhook of, Token token) {
        this.documents = documents;
        this.name = name(of);
        this.token = token;
    }

    static String name(Webhook webhook) {
        return DocumentPages.NOTIFY + webhook.id();
    }

    /**
     * Takes over from the sender before.
     *
     * @param start where the first of all senders begins
     * @return where that one was
     * @throws SupersededException if a later sender was here already
     * @throws dev.holdfast.spi.StoreException if it is not known whether this is the sender now; claim again
     */
    Position claim(Supplier<Position> start) throws SupersededException {
        for (int i = 0; i < MAX_TRIES; i++) {
            Optional<Document> there = documents.get(name);
            refuseLater(there.map(Document::head));
            Position position = there.isPresent() ? read(there.get()) : start.get();
            if (written(position, there.map(it -> it.head().tag()))) {
                return position;
            }
        }
        throw new StoreUnavailableException("Document '" + name + "' changes all the time. Trying again", null);
    }

    /**
     * Keeps a position.
     *
     * @throws SupersededException if this is not the sender any more
     * @throws dev.holdfast.spi.StoreException if it may not have been kept; the next one stands for it, too
     */
    void save(Position position) throws SupersededException {
        if (written(position, tag)) {
            return;
        }
        // Perhaps our own write before, whose answer was lost. Nobody else writes with this token.
        Optional<DocumentHead> there = documents.look(name);
        refuseLater(there);
        boolean own = there.filter(head -> token(head).equals(token)).isPresent();
        if (!own || !written(position, there.map(DocumentHead::tag))) {
            throw new SupersededException("document '" + name + "' was written or deleted by somebody else");
        }
    }

    private boolean written(Position position, Optional<String> before) {
        byte[] content = Json.build()
                .with("format", FORMAT)
                .with("after", position.after())
                .with("waits_until", position.waitsUntil().toString())
                .build()
                .bytes();
        Condition unchanged = before.map(Condition::tagged).orElseGet(Condition::absent);
        WriteOutcome outcome =
                documents.write(Change.put(name, unchanged, content, Map.of(TOKEN, Long.toString(token.value()))));
        if (outcome instanceof WriteOutcome.Written written) {
            tag = Optional.of(written.heads().get(0).tag());
            return true;
        }
        return false;
    }

    private void refuseLater(Optional<DocumentHead> there) throws SupersededException {
        if (there.filter(head -> token(head).compareTo(token) > 0).isPresent()) {
            throw new SupersededException("a later sender has claimed document '" + name + "'");
        }
    }

    private Token token(DocumentHead head) {
        String text = head.attributes().getOrDefault(TOKEN, "");
        if (!text.matches("[0-9]{1,18}")) {
            throw unusable();
        }
        return new Token(Long.parseLong(text));
    }

    /** A document that cannot be understood is not written over: a newer server may have written it. */
    private Position read(Document document) {
        try {
            Json content = Json.parse(document.content());
            if (!content.at("format").equals(Json.of(FORMAT))) {
                throw unusable();
            }
            return new Position(
                    content.at("after").number().orElseThrow(this::unusable),
                    Instant.parse(content.at("waits_until").text().orElseThrow(this::unusable)));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw unusable();
        }
    }

    private StoreUnusableException unusable() {
        return new StoreUnusableException(
                "Document '" + name + "' does not say how far the webhook was told; was it written by a newer server?"
                        + " Without it the webhook gets everything from now on",
                null);
    }
}
