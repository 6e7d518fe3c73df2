package dev.holdfast.s3;

import dev.holdfast.aws.AwsRequests;
import dev.holdfast.aws.documents.StoredDocument;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Pages of documents: LISTs of the heads' keys until enough names match, then a GET for each of these. S3 lists upwards only, so
 * downwards, and by leaf, all keys with the prefix are listed, a thousand at a time.
 */
record DocumentListing(BucketRequests objects, DocumentObjects documents) {
    private static final int KEYS = 1_000;
    /** GETs at once. */
    private static final int AT_ONCE = 16;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:@=+,#~/-]*");

    DocumentPage page(ListRequest request) {
        DocumentStore.NamePage page = names(request);
        return new DocumentPage(heads(page.names()), page.next());
    }

    /** Without a GET for each, so there may be some among them that are no documents of ours. */
    DocumentStore.NamePage names(ListRequest request) {
        if (!NAME.matcher(request.prefix()).matches()) {
            return new DocumentStore.NamePage(List.of(), Optional.empty()); // no name begins so
        }
        List<String> names = names(request, documents.heads());
        if (request.leaf().isPresent() && !request.prefix().isEmpty()) {
            // Documents that were there before us have no heads. They are looked for only where it is said what they
            // are called.
            names = merged(request, names, names(request, documents.plain()));
        }
        boolean more = names.size() > request.limit();
        List<String> page = more ? names.subList(0, request.limit()) : names;
        return new DocumentStore.NamePage(page, more ? Optional.of(page.get(page.size() - 1)) : Optional.empty());
    }

    private List<String> names(ListRequest request, String base) {
        return request.newestFirst() ? last(request, base) : first(request, base);
    }

    private static List<String> merged(ListRequest request, List<String> some, List<String> others) {
        TreeSet<String> all = new TreeSet<>(some);
        all.addAll(others);
        return List.copyOf(request.newestFirst() ? all.descendingSet() : all);
    }

    private List<String> first(ListRequest request, String base) {
        List<String> names = new ArrayList<>();
        Optional<String> after =
                request.after().filter(last -> NAME.matcher(last).matches());
        Optional<String> start = after.map(last -> base + last);
        while (true) {
            BucketRequests.Keys found = list(request, base, start);
            for (String name : names(found, base)) {
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
            start = found.last();
        }
    }

    private List<String> last(ListRequest request, String base) {
        Deque<String> names = new ArrayDeque<>();
        Optional<String> start = Optional.empty();
        while (true) {
            BucketRequests.Keys found = list(request, base, start);
            for (String name : names(found, base)) {
                if (request.matches(name)) {
                    names.addFirst(name);
                }
                if (names.size() > request.limit() + 1) {
                    names.removeLast();
                }
            }
            start = found.last();
            if (!found.more()
                    || start.filter(key -> isBeyond(request, base, key)).isPresent()
                    || start.isEmpty()) {
                return new ArrayList<>(names);
            }
        }
    }

    private static boolean isBeyond(ListRequest request, String base, String key) {
        String name = key.substring(base.length());
        return request.after().filter(last -> name.compareTo(last) >= 0).isPresent();
    }

    private BucketRequests.Keys list(ListRequest request, String base, Optional<String> start) {
        return AwsRequests.await(objects.list(base + request.prefix(), start, KEYS));
    }

    private static List<String> names(BucketRequests.Keys found, String base) {
        return found.keys().stream()
                .filter(key -> !isTombstone(base, found.sizes().getOrDefault(key, 0L)))
                .map(key -> key.substring(base.length()))
                .filter(DocumentListing::isName)
                .toList();
    }

    private static boolean isTombstone(String base, long size) {
        return base.endsWith(DocumentObjects.HEADS) && size == DocumentObject.TOMBSTONE;
    }

    private static boolean isName(String key) {
        try {
            DocumentNames.checked(key);
            return true;
        } catch (IllegalArgumentException e) {
            return false; // somebody else's, by a name that no document has
        }
    }

    private List<DocumentHead> heads(List<String> names) {
        List<DocumentHead> heads = new ArrayList<>(names.size());
        for (int i = 0; i < names.size(); i += AT_ONCE) {
            List<CompletableFuture<DocumentObjects.CurrentHead>> some =
                    names.subList(i, Math.min(names.size(), i + AT_ONCE)).stream()
                            .map(documents::look)
                            .toList();
            for (CompletableFuture<DocumentObjects.CurrentHead> one : some) {
                AwsRequests.await(one).document().map(StoredDocument::head).ifPresent(heads::add);
            }
        }
        return heads;
    }
}
