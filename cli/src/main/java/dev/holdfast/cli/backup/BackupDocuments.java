package dev.holdfast.cli.backup;

import dev.holdfast.cli.admin.DocumentPlaces;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.wire.backup.BackupPlace;
import dev.holdfast.wire.backup.DocumentPages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the documents of a store are: beside its locks, or where {@code state.store} and {@code guard.store} say. */
final class BackupDocuments {
    @Option(
            names = "--state-store",
            paramLabel = "URL",
            description = "Where state is, if not beside the locks: what the server has as state.store.")
    private Optional<String> state = Optional.empty();

    @Option(
            names = "--guard-store",
            paramLabel = "URL",
            description =
                    "Where the documents of the guard are, if not beside the locks: what the server has as guard.store.")
    private Optional<String> guard = Optional.empty();

    boolean isNamed() {
        return state.isPresent() || guard.isPresent();
    }

    /** The places as they are opened; closing it closes all. */
    static final class OpenDocuments implements AutoCloseable {
        private final Map<String, DocumentStore> opened = new LinkedHashMap<>();
        private final String stateAt;
        private final String guardAt;
        private final String tokensAt;

        private OpenDocuments(String state, String guard, String locks) {
            this.stateAt = DocumentPlaces.identity(state);
            this.guardAt = DocumentPlaces.identity(guard);
            this.tokensAt = DocumentPlaces.identity(locks);
        }

        private String identity(String name) {
            if (name.startsWith(DocumentPages.GUARD)) {
                return guardAt;
            }
            return name.startsWith(DocumentPages.TOKENS) ? tokensAt : stateAt;
        }

        DocumentStore of(String name) {
            DocumentStore place = opened.get(identity(name));
            if (place == null) {
                throw new IllegalStateException("no place is open for document '" + name + "'");
            }
            return place;
        }

        List<BackupPlace> places() {
            List<BackupPlace> places = new ArrayList<>();
            opened.forEach((identity, store) -> places.add(new BackupPlace(
                    store, name -> DocumentPages.isKept(name) && identity(name).equals(identity))));
            return places;
        }

        @Override
        public void close() {
            opened.values().forEach(DocumentStore::close);
        }
    }

    /** To read; nothing is made where there are none. */
    OpenDocuments openExisting(String locks) {
        return open(locks, true);
    }

    OpenDocuments open(String locks) {
        return open(locks, false);
    }

    private OpenDocuments open(String locks, boolean onlyExisting) {
        OpenDocuments all = new OpenDocuments(state.orElse(locks), guard.orElse(locks), locks);
        try {
            for (String url : List.of(state.orElse(locks), guard.orElse(locks), locks)) {
                String identity = DocumentPlaces.identity(url);
                if (!all.opened.containsKey(identity)) {
                    boolean none = onlyExisting && DocumentPlaces.isMissing(url);
                    all.opened.put(identity, none ? new MemoryDocuments() : DocumentStores.open(url, Target.PATIENCE));
                }
            }
            return all;
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
    }
}
