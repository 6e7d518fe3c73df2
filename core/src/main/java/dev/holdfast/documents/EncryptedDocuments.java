package dev.holdfast.documents;

import dev.holdfast.documents.keys.DataKey;
import dev.holdfast.documents.keys.MasterKey;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.documents.keys.WrongKeyException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Documents whose contents are encrypted before they reach another store. Names, sizes and attributes are not.
 *
 * <p>Every write has a data key of its own, random, kept in front of the content under the first master key. Contents are bound to the
 * names they are written under. What was written before there were keys stays readable, unless encryption is required, and is
 * encrypted when it is written next. Empty contents hide nothing, and are left as they are.
 *
 * <p>A content that cannot be opened is an error: {@link StoreUnusableException} naming the key that is missing, or
 * {@link DamagedDocumentException}. Nor is it replaced by somebody who could not have read it: a change on the condition of its tag
 * is refused where its master key is not known here. So without any keys this is the way to read and write plain documents, and to be
 * told of others.
 *
 * <p>Holds one more copy of a content in memory than the other store does. Everything else is as that store has it.
 */
public final class EncryptedDocuments implements DocumentStore {
    private final DocumentStore inner;
    private final MasterKeys keys;

    private EncryptedDocuments(DocumentStore inner, MasterKeys keys) {
        this.inner = inner;
        this.keys = keys;
    }

    /** On a store, which is closed with it. */
    public static DocumentStore on(DocumentStore inner, MasterKeys keys) {
        return new EncryptedDocuments(inner, keys);
    }

    @Override
    public String kind() {
        return inner.kind();
    }

    @Override
    public long maxSize() {
        return keys.first().isEmpty() ? inner.maxSize() : inner.maxSize() - SealedContent.MAX_OVERHEAD;
    }

    @Override
    public boolean isAtomic() {
        return inner.isAtomic();
    }

    @Override
    public Optional<DocumentHead> look(String name) {
        return inner.look(name).map(SealedHead::shown);
    }

    @Override
    public DocumentPage list(ListRequest request) {
        DocumentPage page = inner.list(request);
        return new DocumentPage(page.heads().stream().map(SealedHead::shown).toList(), page.next());
    }

    @Override
    public NamePage names(ListRequest request) {
        return inner.names(request);
    }

    // ---- reading

    @Override
    public Optional<Document> get(String name) {
        return inner.get(name).map(this::opened);
    }

    private Document opened(Document stored) {
        DocumentHead head = SealedHead.shown(stored.head());
        byte[] content = stored.content();
        if (SealedContent.isSealed(content)) {
            byte[] plain = open(head, content);
            return new Document(new DocumentHead(head.name(), head.tag(), plain.length, head.attributes()), plain);
        }
        if (SealedHead.of(stored.head()).isPresent()) {
            throw new DamagedDocumentException(
                    head, "it should be encrypted, but does not look like it", new IllegalStateException());
        }
        if (keys.isRequired() && content.length > 0) {
            throw new StoreUnusableException(
                    "Document '" + head.name() + "' is not encrypted, and only encrypted ones are to be read here"
                            + " (state.encryption.required). If it is to be trusted, read it without that setting and"
                            + " save it again",
                    null);
        }
        return stored;
    }

    private byte[] open(DocumentHead head, byte[] content) {
        try {
            SealedContent sealed = SealedContent.read(content);
            MasterKey key = keys.find(sealed.keyId()).orElseThrow(() -> missing(head.name(), sealed.keyId()));
            return sealed.open(key, head.name(), content);
        } catch (WrongKeyException e) {
            throw new DamagedDocumentException(head, "it cannot be decrypted: " + e.getMessage(), e);
        }
    }

    private StoreUnusableException missing(String name, String keyId) {
        String shown = keyId.matches("[A-Za-z0-9._:-]+") ? keyId : "(unreadable)";
        return new StoreUnusableException(
                "Document '" + name + "' is encrypted under master key " + shown + ", which is not here (" + keys
                        + "). Add that key, behind the one for new documents: state.encryption.keys of a server,"
                        + " --state-key or HOLDFAST_STATE_ENCRYPTION_KEYS of a command. Nothing was changed",
                null);
    }

    // ---- writing

    @Override
    public WriteOutcome write(List<Change> changes) {
        Writes.check(this, changes);
        for (Change change : changes) {
            refuseUnread(change);
        }
        Map<String, Content> sealed = sealed(changes);
        List<Change> stored = new ArrayList<>();
        for (Change change : changes) {
            stored.add(stored(change, sealed));
        }
        WriteOutcome outcome = inner.write(stored);
        if (outcome instanceof WriteOutcome.Refused refused) {
            return new WriteOutcome.Refused(refused.index(), refused.current().map(SealedHead::shown));
        }
        List<DocumentHead> heads = ((WriteOutcome.Written) outcome).heads();
        return new WriteOutcome.Written(heads.stream().map(SealedHead::shown).toList());
    }

    /** Whoever replaces a content has the key it is under; so a server without keys, or with wrong ones, destroys nothing. */
    private void refuseUnread(Change change) {
        if (change instanceof Change.Put && change.condition() instanceof Condition.Tagged tagged) {
            SealedHead.ofTag(tagged.tag())
                    .map(SealedHead::keyId)
                    .filter(id -> keys.find(id).isEmpty())
                    .ifPresent(id -> {
                        throw missing(change.name(), id);
                    });
        }
    }

    /**
     * What is written to each document, encrypted; the same array for several of them once, for all of them, so that a state and its
     * entry in the history stay one content.
     */
    private Map<String, Content> sealed(List<Change> changes) {
        IdentityHashMap<byte[], List<String>> names = new IdentityHashMap<>();
        for (Change change : changes) {
            if (change instanceof Change.Put put && put.content().length > 0) {
                names.computeIfAbsent(put.content(), any -> new ArrayList<>()).add(put.name());
            }
        }
        Map<String, Content> sealed = new HashMap<>();
        if (names.isEmpty() || keys.first().isEmpty()) {
            return sealed;
        }
        MasterKey master = keys.first().get();
        DataKey key = master.create();
        names.forEach((content, all) -> {
            for (int i = 0; i < all.size(); i += SealedContent.MAX_NAMES) {
                List<String> some = all.subList(i, Math.min(all.size(), i + SealedContent.MAX_NAMES));
                Content bytes = Content.of(SealedContent.seal(master.id(), key, some, content));
                some.forEach(name -> sealed.put(name, bytes));
            }
        });
        return sealed;
    }

    private Change stored(Change change, Map<String, Content> sealed) {
        Condition condition = change.condition() instanceof Condition.Tagged tagged
                ? Condition.tagged(SealedHead.innerTag(tagged.tag()))
                : change.condition();
        if (change instanceof Change.Put put) {
            Content bytes = sealed.get(put.name());
            if (bytes == null && SealedContent.isSealed(put.content())) {
                throw new IllegalArgumentException("Document '" + put.name()
                        + "' is encrypted already; copy it with its attributes, by holdfast migrate");
            }
            Optional<SealedHead> seal = bytes == null
                    ? Optional.empty()
                    : Optional.of(new SealedHead(
                            put.content().length, keys.first().orElseThrow().id()));
            return Change.put(
                    put.name(), condition, bytes == null ? put.shared() : bytes, put.attributes(), reserved(seal));
        }
        if (change instanceof Change.Mark mark) {
            String tag = ((Condition.Tagged) mark.condition()).tag();
            return Change.mark(
                    mark.name(), SealedHead.innerTag(tag), mark.attributes(), reserved(SealedHead.ofTag(tag)));
        }
        return Change.delete(change.name(), condition);
    }

    private static Map<String, String> reserved(Optional<SealedHead> seal) {
        return seal.map(it -> Map.of(SealedHead.ATTRIBUTE, it.text())).orElse(Map.of());
    }

    @Override
    public void close() {
        inner.close();
    }
}
