package dev.holdfast.documents;

import java.util.List;
import java.util.Optional;

/**
 * A page of documents.
 *
 * @param heads in the order asked
 * @param next the name to go on behind; empty if there are no more
 */
public record DocumentPage(List<DocumentHead> heads, Optional<String> next) {
    public DocumentPage {
        heads = List.copyOf(heads);
    }
}
