package dev.holdfast.server.tokens;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.http.Problem;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that were made while servers run, in one document beside the locks. Every replica looks once a second whether it has changed,
 * without reading it if not. While the store cannot be reached the tokens last seen count. Safe for any thread; its calls block.
 */
public final class StoredTokens implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoredTokens.class);

    static final String NAME = "auth/tokens";
    /** As many as in the configuration: every request is compared with all. */
    static final int MAX_TOKENS = 1_000;
    /** Every replica reads all of it after every change. */
    private static final long MAX_BYTES = 1024 * 1024;
    /** A change is seen by all replicas within twice this. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** Two who change tokens at once both come through; more than these at once are a loop somewhere. */
    private static final int MAX_TRIES = 20;

    private final Supplier<DocumentStore> opening;
    private final Consumer<List<TokenEntry>> told;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-tokens"));
    private Optional<DocumentStore> documents = Optional.empty(); // guarded by this, as the rest
    private volatile Optional<TokenSnapshot> seen = Optional.empty();
    private String trouble = "";
    private volatile boolean never;
    private Set<String> notUnderstood = Set.of();

    /** What was read or written last; without a tag when there is no document. */
    private record TokenSnapshot(List<StoredToken> tokens, Optional<String> tag) {}

    /** Changes the tokens; nothing to write if it gives back what it was given. */
    interface Edit {
        List<StoredToken> of(List<StoredToken> before);
    }

    private StoredTokens(Supplier<DocumentStore> opening, Consumer<List<TokenEntry>> told) {
        this.opening = opening;
        this.told = told;
    }

    /**
     * Tells which tokens count, now if the store answers, and from then on whenever they change.
     *
     * @param opening opens the documents, in one attempt
     */
    public static StoredTokens start(Supplier<DocumentStore> opening, Consumer<List<TokenEntry>> told) {
        StoredTokens tokens = new StoredTokens(opening, told);
        tokens.look();
        var unused = tokens.timer.scheduleWithFixedDelay(
                tokens::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        return tokens;
    }

    // ---- looking

    private void look() {
        try {
            if (never) {
                return;
            }
            DocumentStore open = opened();
            Optional<String> tag = open.look(NAME).map(DocumentHead::tag);
            if (seen.filter(before -> before.tag().equals(tag)).isEmpty()) {
                publish(read(open));
            }
            mended();
        } catch (StoreException e) {
            troubled(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) { // nothing keeps documents there: asking again changes nothing
            LOG.info("No tokens can be kept beside the locks, so only those of auth.tokens count: {}", e.getMessage());
            off(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // the next look must come all the same
            LOG.error("Stored tokens could not be checked because of a fault in this server", e);
        }
    }

    private static TokenSnapshot read(DocumentStore open) {
        Optional<Document> document = open.get(NAME);
        try {
            return document.isEmpty()
                    ? new TokenSnapshot(List.of(), Optional.empty())
                    : new TokenSnapshot(
                            TokenDocument.read(document.get().content()),
                            Optional.of(document.get().head().tag()));
        } catch (IllegalArgumentException e) {
            throw new StoreUnusableException(
                    "The document '" + NAME + "' with the stored tokens cannot be understood: " + e.getMessage(), e);
        }
    }

    private synchronized void publish(TokenSnapshot now) {
        seen = Optional.of(now);
        List<TokenEntry> entries = new ArrayList<>();
        Set<String> odd = new HashSet<>();
        for (StoredToken token : now.tokens()) {
            try {
                entries.add(token.entry());
            } catch (IllegalArgumentException e) { // of a newer server: its bearer is refused, the others are not
                odd.add(token.id());
                if (!notUnderstood.contains(token.id())) {
                    LOG.warn("Stored token '{}' is not accepted by this version: {}", token.id(), e.getMessage());
                }
            }
        }
        notUnderstood = odd;
        told.accept(entries);
    }

    /** Once for an outage, not at each look. */
    private synchronized void troubled(String why) {
        if (trouble.isEmpty()) {
            LOG.warn(
                    "Stored tokens cannot be read: {}. {} Trying again every second.",
                    why,
                    seen.isPresent()
                            ? "Those already known stay in use."
                            : "None are known yet, so tokens that auth.tokens does not name are answered with 503.");
        }
        trouble = why;
    }

    private synchronized void mended() {
        if (!trouble.isEmpty()) {
            LOG.info("Stored tokens can be read again.");
        }
        trouble = "";
    }

    private synchronized void off(String why) {
        never = true;
        trouble = why;
        told.accept(List.of());
    }

    private synchronized DocumentStore opened() {
        if (never) {
            throw new StoreUnusableException(
                    "Tokens cannot be kept beside the locks: " + trouble + ". Use auth.tokens in the configuration",
                    null);
        }
        if (documents.isEmpty()) {
            documents = Optional.of(opening.get());
        }
        return documents.get();
    }

    // ---- for the routes

    /**
     * The tokens as they are in the store now.
     *
     * @throws StoreException if they cannot be read
     */
    List<StoredToken> fetch() {
        TokenSnapshot now = read(opened());
        publish(now);
        return now.tokens();
    }

    /**
     * Changes them, also if others do so at the same time. The edit may be asked several times, and once more after a write whose
     * outcome was unknown: it must find out itself that it was made.
     *
     * @throws StoreException if that cannot be done, or it is not known whether it was
     */
    void change(Edit edit) {
        DocumentStore open = opened();
        Optional<OutcomeUnknownException> doubt = Optional.empty();
        for (int i = 0; i < MAX_TRIES; i++) {
            TokenSnapshot before = readAfter(open, doubt);
            List<StoredToken> after = edit.of(before.tokens());
            if (after.equals(before.tokens())) {
                publish(before);
                return;
            }
            try {
                if (written(open, before, after)) {
                    return;
                }
                doubt = Optional.empty();
            } catch (OutcomeUnknownException e) {
                doubt = Optional.of(e);
            }
            pause(i);
        }
        throw doubt.map(StoreException.class::cast)
                .orElseGet(() -> new StoreUnavailableException(
                        "Too many callers are changing the stored tokens at once. Nothing was changed; try again",
                        null));
    }

    private static TokenSnapshot readAfter(DocumentStore open, Optional<OutcomeUnknownException> doubt) {
        try {
            return read(open);
        } catch (StoreUnavailableException e) {
            throw doubt.map(StoreException.class::cast).orElse(e);
        }
    }

    private boolean written(DocumentStore open, TokenSnapshot before, List<StoredToken> after) {
        Condition unchanged = before.tag().map(Condition::tagged).orElseGet(Condition::absent);
        byte[] content = TokenDocument.write(after);
        if (after.size() > before.tokens().size() && content.length > Math.min(MAX_BYTES, open.maxSize())) {
            throw Problem.refusal(
                    409,
                    "too-many-tokens",
                    "The stored tokens with all their roles would take " + content.length
                            + " bytes, which is too much. Revoke some, or grant fewer roles");
        }
        WriteOutcome outcome = open.write(Change.put(NAME, unchanged, content, Map.of()));
        if (outcome instanceof WriteOutcome.Written written) {
            publish(new TokenSnapshot(after, Optional.of(written.heads().get(0).tag())));
            return true;
        }
        return false;
    }

    private static void pause(int tries) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(5L * (tries + 1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("Interrupted. Nothing was changed", e);
        }
    }

    /** Stops looking, and closes the documents. */
    @Override
    public void close() {
        timer.shutdownNow();
        Optional<DocumentStore> last;
        synchronized (this) {
            never = true;
            trouble = "this server is stopping";
            last = documents;
            documents = Optional.empty();
        }
        last.ifPresent(DocumentStore::close);
    }
}
