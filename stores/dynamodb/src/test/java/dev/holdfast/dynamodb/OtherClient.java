package dev.holdfast.dynamodb;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.requests.DynamoClients;
import dev.holdfast.dynamodb.requests.TableAddress;
import dev.holdfast.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A {@link LockClient} in a process of its own that does what it is told, one line of its input after the other, and says
 * on each line of its output what became of it.
 *
 * <pre>
 *   turns N      N times: take the lock, write, release            turn TOKEN, N times, then done
 *   hold MILLIS  takes the lock, with a lease this long            held TOKEN
 *   write        looks at the lease, then writes                   written TOKEN | lost REASON | stale
 *   release      gives it back                                     released true | released false
 * </pre>
 *
 * <p>To write is to read the number of the {@link Counter} and then, in another request, to store the next one, with the token,
 * unless a higher one is there. Two who do so at once lose a count, or are refused; a holder that is refused although its
 * lease is valid says {@code violated}.
 */
final class OtherClient implements AutoCloseable {
    /** Longer than any test lets one wait. */
    private static final Duration WAIT = Duration.ofMinutes(2);

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final Process process;
    private final List<String> said = new CopyOnWriteArrayList<>();

    private OtherClient(Process process) {
        this.process = process;
        Thread reader = new Thread(this::listen, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts one on this table; it says when it is open. */
    static OtherClient start(String table) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new OtherClient(new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-Xmx128m",
                        "-Daws.accessKeyId=test",
                        "-Daws.secretAccessKey=test",
                        "-cp",
                        classes,
                        OtherClient.class.getName(),
                        table,
                        Integer.toString(Dynamo.port()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException e) {
            said.add("its output broke: " + e.getMessage());
        }
    }

    void tell(String command) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** Tells it and waits for the answer that starts so. */
    String ask(String command, String answer) throws IOException {
        int before = said.size();
        tell(command);
        Await.until(process.pid() + " answers '" + command + "'", () -> said.size() > before || !process.isAlive());
        String told = said.size() > before ? said.get(before) : "nothing";
        if (!told.startsWith(answer)) {
            throw new AssertionError("asked for '" + command + "' it answered '" + told + "', not '" + answer + "'");
        }
        return told.substring(answer.length()).trim();
    }

    void awaitSaid(String start) {
        awaitSaid(start, 1);
    }

    /** In so many times of the usual patience. */
    void awaitSaid(String start, int patience) {
        for (int i = 1; i < patience && !hasSaid(start); i++) {
            try {
                Await.until("", () -> hasSaid(start));
            } catch (AssertionError e) {
                // not yet
            }
        }
        Await.until(process.pid() + " says '" + start + "', not " + said, () -> hasSaid(start));
    }

    private boolean hasSaid(String start) {
        return said.stream().anyMatch(line -> line.startsWith(start));
    }

    /** All it said so far. */
    List<String> said() {
        return List.copyOf(said);
    }

    /** How many turns it acknowledged. */
    int turns() {
        return (int) said.stream().filter(line -> line.startsWith("turn ")).count();
    }

    /** Lets it stand still, as a long collection of garbage or a machine that sleeps does. */
    void pause() throws IOException {
        signal("-STOP");
    }

    void resume() throws IOException {
        signal("-CONT");
    }

    private void signal(String which) throws IOException {
        Process kill = new ProcessBuilder("kill", which, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (kill.onExit().join().exitValue() != 0) {
            throw new IOException("kill " + which + " failed");
        }
    }

    /** Ends it as a power cut would; what it said before is still heard. */
    void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    // ---- in the other process

    public static void main(String[] args) throws Exception {
        TableAddress place = Dynamo.place(args[0], Integer.parseInt(args[1]));
        DynamoConfig config = DynamoConfig.DEFAULT.withPollInterval(Duration.ofMillis(50));
        DynamoDbAsyncClient client = DynamoClients.of(place, Duration.ofSeconds(5), Optional.empty());
        LockClient locks = LockClient.on(DynamoStore.open(client, place.table(), config), ClientConfig.DEFAULT);
        Commands commands = new Commands(locks, new Counter(client, place.table()));
        say("open");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", 2);
            try {
                commands.run(words[0], words.length > 1 ? words[1] : "");
            } catch (RuntimeException e) {
                say("failed: " + e);
            }
        }
        Runtime.getRuntime().halt(0); // the parent is gone, or done
    }

    private static void say(String what) {
        System.out.println(what);
    }

    private static final class Commands {
        private final LockClient locks;
        private final Counter counter;
        private @Nullable Lease lease;

        Commands(LockClient locks, Counter counter) {
            this.locks = locks;
            this.counter = counter;
        }

        void run(String command, String argument) throws InterruptedException {
            switch (command) {
                case "turns" -> turns(Integer.parseInt(argument));
                case "hold" -> {
                    lease = take(Duration.ofMillis(Long.parseLong(argument)));
                    say("held " + lease.token().value());
                }
                case "write" -> say(lookAndWrite(held()));
                case "release" -> say("released " + held().release());
                default -> say("unknown: " + command);
            }
        }

        private Lease held() {
            if (lease == null) {
                throw new IllegalStateException("nothing is held yet");
            }
            return lease;
        }

        private void turns(int count) throws InterruptedException {
            for (int i = 0; i < count; i++) {
                String outcome;
                try (Lease taken = take(LEASE)) {
                    outcome = lookAndWrite(taken);
                }
                say(outcome.replace("written", "turn"));
            }
            say("done");
        }

        private Lease take(Duration length) throws InterruptedException {
            return locks.acquire("counter", o -> o.lease(length).wait(WAIT));
        }

        private String lookAndWrite(Lease taken) {
            long next = counter.value() + 1;
            try {
                taken.ensureValid();
            } catch (LeaseLostException e) {
                return "lost " + taken.lostFor().map(Enum::name).orElse("?");
            }
            if (counter.write(next, taken.token().value())) {
                return "written " + taken.token().value();
            }
            return taken.isValid() ? "violated: refused while the lease is valid" : "stale";
        }
    }
}
