package dev.holdfast.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What an earlier version wrote and answered, as {@code bin/record-version} kept it. */
enum RecordedVersion {
    PLAIN_VIEWS("1-plain-views"),
    PAST_WITH_TIMES("2-past-with-times"),
    PAST_WITHOUT_TIMES("3-past-without-times");

    /** As it is written now. */
    static final RecordedVersion NEWEST = PAST_WITHOUT_TIMES;

    private static final String PLACE = "/compatibility/";

    private final String directory;

    RecordedVersion(String directory) {
        this.directory = directory;
    }

    /**
     * A call, and what was answered.
     *
     * @param body empty if none was sent
     */
    record Exchange(String method, String path, String body, int status, String answer) {}

    /** A stored record: its row of {@code holdfast_lock}. */
    record StoredRecord(String namespace, String name, long fence, String body, String past) {}

    /** A stored document. */
    record StoredDocument(String name, String content) {}

    private byte[] bytes(String file) {
        String place = PLACE + directory + "/" + file;
        try (InputStream in = RecordedVersion.class.getResourceAsStream(place)) {
            if (in == null) {
                throw new IllegalStateException("There is no " + place + "; make it with bin/record-version");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stream<String> lines(String file) {
        return new String(bytes(file), StandardCharsets.UTF_8).lines();
    }

    // ---- stores

    /** A copy of the embedded store, in a directory of the test; returns the URL of the copy. */
    String embeddedIn(Path directory) {
        try {
            for (String file : List.of("holdfast.db", "holdfast-documents.db")) {
                Files.write(directory.resolve(file), bytes(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "sqlite:" + directory.resolve("holdfast.db");
    }

    /** A copy of the database on the PostgreSQL server of the tests; returns its URL. */
    String inPostgres() {
        String database = Postgres.server().freshDatabase();
        Postgres.server().sql(database, new String(bytes("postgresql.sql"), StandardCharsets.UTF_8));
        return Postgres.server().url(database);
    }

    // ---- formats

    List<StoredRecord> records() {
        return lines("records.txt")
                .map(line -> line.split("\t", -1))
                .map(row -> new StoredRecord(row[0], row[1], Long.parseLong(row[2]), row[3], row[4]))
                .toList();
    }

    /** The token the last holder of a lock had in the embedded store. */
    long fence(String name) {
        return records().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow()
                .fence();
    }

    List<StoredDocument> documents() {
        return lines("documents.txt")
                .map(line -> line.split("\t", 2))
                .map(row -> new StoredDocument(row[0], row[1]))
                .toList();
    }

    // ---- answers

    List<Exchange> exchanges() {
        List<Exchange> all = new ArrayList<>();
        Optional<String> asked = Optional.empty();
        for (String line : lines("exchanges.txt").toList()) {
            if (line.startsWith("> ")) {
                asked = Optional.of(line);
            } else {
                all.add(exchange(asked.orElseThrow(), line));
            }
        }
        return all;
    }

    private static Exchange exchange(String asked, String answered) {
        String[] call = asked.split(" ", 4);
        String[] answer = answered.split(" ", 3);
        return new Exchange(call[1], call[2], call[3], Integer.parseInt(answer[1]), answer[2]);
    }

    @Override
    public String toString() {
        return directory;
    }
}
