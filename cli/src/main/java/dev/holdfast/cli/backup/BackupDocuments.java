package dev.holdfast.cli.backup;

import dev.holdfast.Stores;
import dev.holdfast.cli.admin.DocumentPlaces;
import dev.holdfast.cli.admin.StandIns;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.wire.backup.BackupPlace;
import dev.holdfast.wire.backup.DocumentPages;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Where the documents of a store are: beside its locks, or where {@code state.store} and {@code guard.store} say. */
final class BackupDocuments {
    private static final String LOCKS = "--store";
    private static final String STATE = "--state-store";
    private static final String GUARD = "--guard-store";

    @Option(
            names = STATE,
            paramLabel = "URL",
            description = "Where state is, if not beside the locks: what the server has as state.store.")
    private Optional<String> state = Optional.empty();

    @Option(
            names = GUARD,
            paramLabel = "URL",
            description =
                    "Where the documents of the guard are, if not beside the locks: what the server has as guard.store.")
    private Optional<String> guard = Optional.empty();

    boolean isNamed() {
        return state.isPresent() || guard.isPresent();
    }

    /** The URLs that were given. */
    Stream<String> named() {
        return Stream.concat(state.stream(), guard.stream());
    }

    /** Says of a place that was named and is not there: a mistake, not an empty one. Beside the locks there may be none yet. */
    Optional<String> missing(String locks) {
        return missing(locks, STATE, state).or(() -> missing(locks, GUARD, guard));
    }

    private static Optional<String> missing(String locks, String option, Optional<String> named) {
        return named.filter(DocumentPlaces::isMissing)
                .filter(url -> !DocumentPlaces.identity(url).equals(DocumentPlaces.identity(locks)))
                .map(url -> "There are no documents in '" + Stores.masked(url) + "'. Look at " + option);
    }

    /** One of the places, with the option that names it on the command line. */
    record OpenPlace(String url, String option, BackupPlace documents) {
        /** Whether the documents are where the locks are. */
        boolean isBesideLocks() {
            return option.equals(LOCKS);
        }
    }

    /** The places as they are opened; closing it closes all. */
    static final class OpenDocuments implements AutoCloseable {
        /** By identity, in the order in which they were opened. */
        private final Map<String, OpenPlace> places = new LinkedHashMap<>();

        private final String stateAt;
        private final String guardAt;
        private final String tokensAt;

        private OpenDocuments(String state, String guard, String locks) {
            this.stateAt = DocumentPlaces.identity(state);
            this.guardAt = DocumentPlaces.identity(guard);
            this.tokensAt = DocumentPlaces.identity(locks);
        }

        private void open(String url, Function<String, DocumentStore> opening) {
            String identity = DocumentPlaces.identity(url);
            if (!places.containsKey(identity)) {
                String option = identity.equals(tokensAt) ? LOCKS : identity.equals(stateAt) ? STATE : GUARD;
                BackupPlace documents = new BackupPlace(
                        opening.apply(url),
                        name -> DocumentPages.isKept(name) && identity(name).equals(identity));
                places.put(identity, new OpenPlace(url, option, documents));
            }
        }

        private String identity(String name) {
            if (name.startsWith(DocumentPages.GUARD)) {
                return guardAt;
            }
            return name.startsWith(DocumentPages.TOKENS) ? tokensAt : stateAt;
        }

        private OpenPlace place(String name) {
            return Optional.ofNullable(places.get(identity(name)))
                    .orElseThrow(() -> new IllegalStateException("no place is open for document '" + name + "'"));
        }

        DocumentStore of(String name) {
            return place(name).documents().documents();
        }

        List<OpenPlace> places() {
            return List.copyOf(places.values());
        }

        /** Where state is, if not beside the locks. */
        Optional<String> stateElsewhere() {
            return Optional.ofNullable(places.get(stateAt))
                    .filter(place -> !place.isBesideLocks())
                    .map(OpenPlace::url);
        }

        /** What names the place of this document on the command line. */
        String optionOf(String name) {
            return place(name).option();
        }

        @Override
        public void close() {
            places.values().forEach(place -> place.documents().documents().close());
        }
    }

    /** To read; nothing is made where there are none. */
    OpenDocuments openExisting(String locks) {
        return open(locks, url -> DocumentPlaces.isMissing(url) ? new MemoryDocuments() : opened(url));
    }

    /** To look whether they can be written; nothing is made yet. */
    OpenDocuments look(String locks, StandIns standIns) {
        return open(locks, standIns::documents);
    }

    OpenDocuments open(String locks) {
        return open(locks, BackupDocuments::opened);
    }

    private static DocumentStore opened(String url) {
        return DocumentStores.open(url, Target.PATIENCE);
    }

    private OpenDocuments open(String locks, Function<String, DocumentStore> opening) {
        OpenDocuments all = new OpenDocuments(state.orElse(locks), guard.orElse(locks), locks);
        try {
            Stream.of(state.orElse(locks), guard.orElse(locks), locks).forEach(url -> all.open(url, opening));
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }
}
