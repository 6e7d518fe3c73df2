package dev.holdfast.s3;

import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.ListRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Pages of documents: LISTs of the heads' keys until enough names match, then a GET for each of these. S3 lists upwards only, so
 * downwards, and by leaf, all keys with the prefix are listed, a thousand at a time.
 */
final class DocumentListing {
    private static final int KEYS = 1_000;
    /** GETs at once. */
    private static final int AT_ONCE = 16;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:@=+,#~/-]*");

    private final Objects objects;
    private final DocumentObjects documents;

    DocumentListing(Objects objects, DocumentObjects documents) {
        this.objects = objects;
        this.documents = documents;
    }

    DocumentPage page(ListRequest request) {
        if (!NAME.matcher(request.prefix()).matches()) {
            return new DocumentPage(List.of(), Optional.empty()); // no name begins so
        }
        List<String> names = request.newestFirst() ? last(request) : first(request);
        boolean more = names.size() > request.limit();
        List<String> page = more ? names.subList(0, request.limit()) : names;
        return new DocumentPage(heads(page), more ? Optional.of(page.get(page.size() - 1)) : Optional.empty());
    }

    private List<String> first(ListRequest request) {
        List<String> names = new ArrayList<>();
        Optional<String> after =
                request.after().filter(last -> NAME.matcher(last).matches());
        Optional<String> start = after.map(last -> documents.heads() + last);
        while (true) {
            Objects.Keys found = list(request, start);
            for (String name : names(found)) {
                if (request.matches(name)) {
                    names.add(name);
                }
                if (names.size() > request.limit()) {
                    return names;
                }
            }
            if (!found.more() || found.keys().isEmpty()) {
                return names;
            }
            start = lastOf(found);
        }
    }

    private List<String> last(ListRequest request) {
        Deque<String> names = new ArrayDeque<>();
        Optional<String> start = Optional.empty();
        while (true) {
            Objects.Keys found = list(request, start);
            for (String name : names(found)) {
                if (request.matches(name)) {
                    names.addFirst(name);
                }
                if (names.size() > request.limit() + 1) {
                    names.removeLast();
                }
            }
            start = lastOf(found);
            if (!found.more() || start.filter(key -> isBeyond(request, key)).isPresent() || start.isEmpty()) {
                return new ArrayList<>(names);
            }
        }
    }

    private boolean isBeyond(ListRequest request, String key) {
        String name = key.substring(documents.heads().length());
        return request.after().filter(last -> name.compareTo(last) >= 0).isPresent();
    }

    private Objects.Keys list(ListRequest request, Optional<String> start) {
        return DocumentObjects.await(objects.list(documents.heads() + request.prefix(), start, KEYS));
    }

    private List<String> names(Objects.Keys found) {
        return found.keys().stream()
                .map(key -> key.substring(documents.heads().length()))
                .toList();
    }

    private static Optional<String> lastOf(Objects.Keys found) {
        return found.keys().isEmpty()
                ? Optional.empty()
                : Optional.of(found.keys().get(found.keys().size() - 1));
    }

    private List<DocumentHead> heads(List<String> names) {
        List<DocumentHead> heads = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i += AT_ONCE) {
            List<CompletableFuture<DocumentObjects.Seen>> some =
                    names.subList(i, Math.min(names.size(), i + AT_ONCE)).stream()
                            .map(documents::look)
                            .toList();
            for (CompletableFuture<DocumentObjects.Seen> one : some) {
                DocumentObjects.await(one).document().map(DocumentObject::head).ifPresent(heads::add);
            }
        }
        return heads;
    }
}
