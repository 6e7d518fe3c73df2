package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.Load;
import dev.holdfast.bench.peers.contender.Contender;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * The embedded store beside bare files on the same disk, in turns: an operation is an acquire, a release, or a record appended and forced to
 * the disk. The address is a directory; the words are how many callers are many, and milliseconds to warm up and to measure.
 */
record EmbeddedMeasurement(Task task) {
    void run() throws Exception {
        Path directory = Path.of(task.address());
        int many = task.number(0);
        Duration warm = Duration.ofMillis(task.number(1));
        Duration time = Duration.ofMillis(task.number(2));
        Loop loop = new Loop(task.servers());
        try (Contender locks =
                        task.entrant().connect(directory.resolve("locks.db").toString(), 1);
                FileChannel bare = FileChannel.open(
                        directory.resolve("bare.log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                BareLog group = new BareLog(directory.resolve("group.log"))) {
            ByteBuffer record = ByteBuffer.allocate(BareLog.RECORD_BYTES);
            IntFunction<Load.Cycle> appends = caller -> () -> BareLog.append(bare, record);
            IntFunction<Load.Cycle> grouped = caller -> group::append;
            loop.run("-", 1, warm, cycles(locks));
            loop.run("-", many, warm, cycles(locks));
            loop.run("-", many, warm, grouped);
            loop.run("bare append + fsync, 1 caller", 1, time, appends).print();
            operations(loop.run("Holdfast on SQLite, 1 caller", 1, time, cycles(locks)));
            loop.run("bare log, group commit, " + many + " callers", many, time, grouped)
                    .print();
            operations(loop.run("Holdfast on SQLite, " + many + " callers", many, time, cycles(locks)));
        }
    }

    private static IntFunction<Load.Cycle> cycles(Contender locks) {
        return caller -> () -> locks.take("embedded-" + caller, Duration.ofSeconds(30))
                .orElseThrow()
                .release();
    }

    /** A cycle is two operations, each with its own way to the disk. */
    private static void operations(Figures cycles) {
        cycles.with(Figures.RATE, 2 * cycles.value(Figures.RATE))
                .with(Figures.CLIENT, cycles.value(Figures.CLIENT) / 2)
                .print();
    }
}
