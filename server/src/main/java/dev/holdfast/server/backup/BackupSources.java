package dev.holdfast.server.backup;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.wire.backup.BackupPlace;
import dev.holdfast.wire.backup.BackupTotals;
import dev.holdfast.wire.backup.DocumentPages;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a server has its documents. Those of state are open already; the others are opened for a backup, unless they are in the same place.
 *
 * @param locks URL of the locks, beside which stored tokens are
 * @param state URL of the place for state
 * @param guard URL of the place for what the guard knows
 * @param stateDocuments the place for state, open
 */
public record BackupSources(String locks, String state, String guard, DocumentStore stateDocuments) {
    private static final String MEMORY = "memory:";

    interface Work {
        BackupTotals on(List<BackupPlace> places) throws IOException;
    }

    boolean check() {
        close(open());
        return true;
    }

    BackupTotals with(Work work) throws IOException {
        Map<String, DocumentStore> opened = open();
        try {
            List<BackupPlace> places = new ArrayList<>();
            places.add(new BackupPlace(stateDocuments, name -> isIn(state, name)));
            opened.forEach((url, documents) -> places.add(new BackupPlace(documents, name -> isIn(url, name))));
            return work.on(places);
        } finally {
            close(opened);
        }
    }

    private boolean isIn(String place, String name) {
        return DocumentPages.isKept(name) && of(name).equals(place);
    }

    private String of(String name) {
        if (name.startsWith(DocumentPages.GUARD)) {
            return guard;
        }
        return name.startsWith(DocumentPages.TOKENS) ? locks : state;
    }

    /** Those beside that of state. What is in memory is another one each time it is opened, and not worth keeping. */
    private Map<String, DocumentStore> open() {
        Map<String, DocumentStore> opened = new LinkedHashMap<>();
        try {
            for (String url : List.of(guard, locks)) {
                if (!url.equals(state) && !url.equals(MEMORY) && !opened.containsKey(url)) {
                    opened.put(url, DocumentStores.open(url, Duration.ZERO));
                }
            }
            return opened;
        } catch (RuntimeException e) {
            close(opened);
            throw e;
        }
    }

    private static void close(Map<String, DocumentStore> opened) {
        opened.values().forEach(DocumentStore::close);
    }

    /** Without the URLs: they may have passwords in them. */
    @Override
    public String toString() {
        return "BackupSources";
    }
}
