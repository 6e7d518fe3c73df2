package dev.holdfast.jdbc;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** How long a save of 1 MB takes, current document and history entry, beside a plain file that is written and forced to disk. */
final class DocumentSpeed {
    private static final int SIZE = 1_000_000;
    private static final int WARM_UP = 20;
    private static final int ROUNDS = 100;

    private DocumentSpeed() {}

    private interface Save {
        void run(byte[] content, int round) throws IOException;
    }

    /** The arguments are URLs of document stores; {@code DIR} in them is a new directory. */
    public static void main(String[] urls) throws IOException {
        PrintStream out = System.out;
        Path directory = Files.createTempDirectory(Path.of(System.getProperty("user.dir")), "speed");
        for (int repeat = 0; repeat < 2; repeat++) {
            out.println("plain file + fsync: " + measured((content, round) -> plain(directory, content)));
            for (String url : urls) {
                Path own = Files.createTempDirectory(directory, "store");
                try (DocumentStore store = DocumentStores.open(url.replace("DIR", own.toString()))) {
                    out.println(url + ": " + measured((content, round) -> save(store, content, round)));
                }
            }
        }
    }

    private static void plain(Path directory, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                directory.resolve("plain"),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(content));
            channel.force(true);
        }
    }

    private static void save(DocumentStore store, byte[] content, int round) {
        store.write(List.of(
                Change.put("stacks/a/prod/state.json", Condition.none(), content, Map.of()),
                Change.put("stacks/a/prod/history/" + round + ".json", Condition.none(), content, Map.of())));
    }

    private static String measured(Save save) throws IOException {
        Random random = new Random(1);
        long[] times = new long[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            byte[] content = new byte[SIZE];
            random.nextBytes(content);
            long start = System.nanoTime();
            save.run(content, round + WARM_UP);
            if (round >= 0) {
                times[round] = System.nanoTime() - start;
            }
        }
        double mean = Arrays.stream(times).average().orElse(0) / 1e6;
        Arrays.sort(times);
        return "mean %.1f ms, median %.1f ms, 95%% %.1f ms"
                .formatted(mean, times[ROUNDS / 2] / 1e6, times[ROUNDS * 95 / 100] / 1e6);
    }
}
