package dev.holdfast.wire.backup;

import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.model.Token;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Everything in a place for documents, a page at a time. */
public final class DocumentPages {
    /** What the guard keeps begins so. */
    public static final String GUARD = "guard/";
    /** Tokens that were made while servers run. */
    public static final String TOKENS = "auth/";
    /** How far webhooks have been told. */
    public static final String NOTIFY = "notify/";

    private static final int PAGE = 500;
    /** Where states are, and what each is called. */
    private static final String STACKS = "stacks/";

    private static final String STATE = "state.json";
    /** What state says of a document: under which token it was claimed, and saved. */
    private static final List<String> TOKEN_ATTRIBUTES = List.of("token", "saved-token");

    private DocumentPages() {}

    /** Whether a document belongs into a backup. How far webhooks were told changes while one is taken, and is of no use later. */
    public static boolean isKept(String name) {
        return !name.startsWith(NOTIFY);
    }

    public static boolean isEmpty(DocumentStore place) {
        return place.list(ListRequest.of("", 1)).heads().isEmpty()
                && place.list(ListRequest.of(STACKS, 1).ending(STATE)).heads().isEmpty();
    }

    /**
     * Each document, without its content. Also the states that others put into a bucket and nobody has claimed yet: they are listed only
     * where it is said what they are called.
     */
    public static void each(DocumentStore place, Consumer<DocumentHead> consumer) {
        Set<String> states = new HashSet<>();
        each(place, ListRequest.of("", PAGE), head -> {
            if (head.name().startsWith(STACKS) && head.name().endsWith("/" + STATE)) {
                states.add(head.name());
            }
            consumer.accept(head);
        });
        each(place, ListRequest.of(STACKS, PAGE).ending(STATE), head -> {
            if (!states.contains(head.name())) {
                consumer.accept(head);
            }
        });
    }

    private static void each(DocumentStore place, ListRequest request, Consumer<DocumentHead> consumer) {
        Optional<String> next = Optional.empty();
        do {
            DocumentPage page = place.list(request.after(next));
            page.heads().forEach(consumer);
            next = page.next();
        } while (next.isPresent());
    }

    /** The greatest token a document with these attributes carries; {@link Token#NONE} if it carries none. */
    public static Token token(Map<String, String> attributes) {
        return TOKEN_ATTRIBUTES.stream()
                .map(name -> attributes.getOrDefault(name, ""))
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(text -> new Token(Long.parseLong(text)))
                .reduce(Token.NONE, DocumentPages::later);
    }

    public static Token later(Token a, Token b) {
        return a.compareTo(b) < 0 ? b : a;
    }
}
