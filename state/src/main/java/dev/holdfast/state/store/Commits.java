package dev.holdfast.state.store;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Makes drafts real, and settles what became of them when the store did not say.
 *
 * <p>Nothing that was current is replaced before it is in the history. On stores that write both at once that is always so; on the
 * others a process may have died between the two, so it is looked at again.
 */
public record Commits(DocumentStore documents, VersionNames names, StateConfig config) {
    public Optional<DocumentHead> look(Stack stack) {
        return documents.look(StateNames.current(stack));
    }

    /** The highest serial so far, as the current document says; of one that was there before us, its own. */
    long topSerial(Stack stack, Optional<DocumentHead> at) {
        if (at.isEmpty()) {
            return 0;
        }
        long said = Attributes.number(at.get().attributes(), Attributes.TOP_SERIAL);
        boolean foreign =
                at.get().size() > 0 && Attributes.version(stack, at.get()).isEmpty();
        return foreign
                ? documents
                        .get(StateNames.current(stack))
                        .map(it -> Math.max(
                                said, UnversionedDocument.version(stack, it).serial()))
                        .orElse(said)
                : said;
    }

    /**
     * Writes the draft if the current document is still {@code at}.
     *
     * @return false if it is not, and the draft was not and will not be written
     * @throws OutcomeUnknownException if that could not be found out; a repeat with the same bytes is recognised
     */
    boolean commit(PendingSave draft, Optional<DocumentHead> at) {
        if (!preserve(draft.stack(), at) || !preserveForeign(draft, at)) {
            return false;
        }
        Optional<StoreException> doubt = Optional.empty();
        for (int attempt = 0; attempt < 2; attempt++) {
            WriteOutcome outcome;
            try {
                outcome = documents.write(draft.changes(at));
            } catch (OutcomeUnknownException e) {
                doubt = Optional.of(e);
                if (found(draft, doubt, () -> isStill(draft.stack(), at))) {
                    continue;
                }
                // Its condition can never hold again: what is there now tells what became of it.
                return found(draft, doubt, () -> happened(draft));
            } catch (StoreException e) {
                throw doubt.isEmpty()
                        ? e
                        : unsettled(draft, e); // this one was not made; the one before may still arrive
            }
            if (outcome instanceof WriteOutcome.Written) {
                return true;
            }
            boolean decided = ((WriteOutcome.Refused) outcome).index() == 0 && doubt.isEmpty();
            return !decided && found(draft, doubt, () -> happened(draft));
        }
        throw unsettled(draft, doubt.orElseThrow());
    }

    /** What the documents say of a write in doubt; a failure to look leaves the doubt. */
    private static boolean found(PendingSave draft, Optional<StoreException> doubt, BooleanSupplier look) {
        try {
            return look.getAsBoolean();
        } catch (StoreException e) {
            doubt.ifPresent(e::addSuppressed);
            throw unsettled(draft, e);
        }
    }

    private boolean isStill(Stack stack, Optional<DocumentHead> at) {
        return look(stack).map(DocumentHead::tag).equals(at.map(DocumentHead::tag));
    }

    /** Whether the draft was written, once it can not be written any more. */
    private boolean happened(PendingSave draft) {
        Optional<DocumentHead> current = look(draft.stack());
        if (draft.made(current)) {
            preserve(draft.stack(), current);
            return true;
        }
        // Who replaced it has kept it in the history.
        return draft.version()
                .map(made -> draft.made(documents.look(StateNames.history(draft.stack(), made.version()))))
                .orElse(false);
    }

    private static OutcomeUnknownException unsettled(PendingSave draft, StoreException why) {
        boolean saves = draft.version().isPresent();
        return new OutcomeUnknownException(
                "The state of stack '" + draft.stack() + "' may or may not have been " + (saves ? "saved" : "deleted")
                        + ": " + why.getMessage()
                        + (saves
                                ? ". Save the same bytes again: it is recognised if it was"
                                : ". Look whether it is still there before you delete it again"),
                why);
    }

    /** Sees to it that what is current is in the history; false if something else is current by now. */
    public boolean preserve(Stack stack, Optional<DocumentHead> at) {
        if (at.isEmpty() || at.get().size() == 0) {
            return true;
        }
        DocumentHead head = at.get();
        Optional<StateVersion> version = Attributes.version(stack, head);
        if (version.isEmpty()) {
            return true; // none of ours; it gets a name when it is replaced
        }
        String entry = StateNames.history(stack, version.get().version());
        if (documents.isAtomic() || documents.look(entry).isPresent()) {
            return true;
        }
        Optional<Document> current = documents.get(StateNames.current(stack));
        if (current.isEmpty()
                || !Attributes.version(stack, current.get().head()).equals(version)) {
            return false;
        }
        keep(entry, current.get().content(), Attributes.ofVersion(head.attributes()));
        return true;
    }

    /** A document somebody put there without us, as in a bucket that was in use before. It becomes the first version. */
    private boolean preserveForeign(PendingSave draft, Optional<DocumentHead> at) {
        Stack stack = draft.stack();
        if (at.isEmpty()
                || at.get().size() == 0
                || Attributes.version(stack, at.get()).isPresent()) {
            return true;
        }
        Optional<Document> current = documents.get(StateNames.current(stack));
        if (current.isEmpty() || !current.get().head().tag().equals(at.get().tag())) {
            return false;
        }
        Instant now = draft.version()
                .map(next -> next.savedAt().minus(1, ChronoUnit.MICROS)) // it was there before
                .orElseGet(() -> config.clock().instant());
        StateVersion version = UnversionedDocument.version(stack, current.get(), names, now);
        keep(
                StateNames.history(stack, version.version()),
                current.get().content(),
                Attributes.of(version, names.writeId(), ""));
        return true;
    }

    /** Idempotent: an entry that is there is the same. Nothing is replaced before it is kept. */
    private void keep(String entry, byte[] content, Map<String, String> attributes) {
        Change kept = Change.put(entry, Condition.absent(), content, attributes);
        try {
            documents.write(kept);
        } catch (OutcomeUnknownException e) {
            if (documents.look(entry).isEmpty()) {
                again(kept);
            }
        }
    }

    private void again(Change kept) {
        try {
            documents.write(kept);
        } catch (OutcomeUnknownException e) {
            throw new StoreUnavailableException(
                    "Version '" + kept.name() + "' could not be kept, so it was not replaced: " + e.getMessage()
                            + ". Try again",
                    e);
        }
    }
}
