package dev.holdfast.testkit.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that writes documents and is killed in the middle of it, again and again. Whatever it was doing, what is found afterwards is
 * complete, has everything it was told to be written, and can be written on.
 */
public final class KilledWriter {
    private static final String NAME = "stacks/a/prod/state.json";
    private static final String HISTORY = "stacks/a/prod/history/";
    private static final int MAX_SIZE = 400_000;
    private static final int KEPT = 5;

    private KilledWriter() {}

    /** The process: the argument is the URL of the documents. Prints the number of each write that it was told to be done. */
    public static void main(String[] arguments) {
        try (DocumentStore store = DocumentStores.open(arguments[0])) {
            for (int number = store.look(NAME).map(KilledWriter::number).orElse(0) + 1; ; number++) {
                step(store, number);
                System.out.println(number);
                System.out.flush();
            }
        }
    }

    private static int number(DocumentHead head) {
        return Integer.parseInt(head.attributes().getOrDefault("number", "0"));
    }

    private static void step(DocumentStore store, int number) {
        byte[] content = new byte[new Random(number).nextInt(MAX_SIZE)];
        new Random(number).nextBytes(content);
        Map<String, String> attributes = Map.of("number", Integer.toString(number), "sha256", Sha256.of(content));
        store.write(List.of(
                Change.put(NAME, Condition.none(), content, attributes),
                Change.put(HISTORY + number, Condition.none(), content, attributes)));
        DocumentHead head = store.look(NAME).orElseThrow();
        store.write(Change.mark(NAME, head.tag(), attributes));
        store.write(Change.delete(HISTORY + (number - KEPT), Condition.none()));
    }

    /** Starts and kills it this many times, on the documents with this URL. */
    public static void run(String url, int kills) {
        Random random = new Random();
        for (int kill = 0; kill < kills; kill++) {
            int told = startAndKill(url, 3 + random.nextInt(20), random.nextInt(3));
            try (DocumentStore store = DocumentStores.open(url)) {
                assertWhole(store, told);
            }
        }
    }

    private static int startAndKill(String url, int writes, int pauseMillis) {
        int told = 0;
        try (JavaProcess writer =
                JavaProgram.of(KilledWriter.class).heap("128m").start(url)) {
            for (int i = 0; i < writes; i++) {
                told = Integer.parseInt(writer.next());
            }
            LockSupport.parkNanos(pauseMillis * 1_000_000L); // somewhere within the next write
            writer.kill();
            for (String line : writer.rest()) {
                told = Math.max(told, Integer.parseInt(line)); // the last line may be cut off
            }
        }
        return told;
    }

    private static void assertWhole(DocumentStore store, int told) {
        Document current = store.get(NAME).orElseThrow();
        int number = number(current.head());
        assertThat(number).isBetween(told, told + 1);
        for (DocumentHead head : store.list(ListRequest.of("", 1_000)).heads()) {
            Document found = store.get(head.name()).orElseThrow();
            assertThat(found.head()).isEqualTo(head);
            assertThat(Sha256.of(found.content()))
                    .as(head.name())
                    .isEqualTo(head.attributes().getOrDefault("sha256", ""));
        }
        if (store.isAtomic() || number == told) {
            assertThat(store.look(HISTORY + number)).isPresent();
        }
        WriteOutcome next = store.write(Change.put(
                NAME,
                Condition.tagged(current.head().tag()),
                current.content(),
                current.head().attributes()));
        assertThat(next).isInstanceOf(WriteOutcome.Written.class);
        assertThat(store.get(NAME).orElseThrow().content()).isEqualTo(current.content());
    }
}
