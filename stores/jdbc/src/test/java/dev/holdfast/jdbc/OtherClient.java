package dev.holdfast.jdbc;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LockClient} in a process of its own that does what it is told, one line of its input after the other, and says
 * on each line of its output what became of it.
 *
 * <pre>
 *   open URL     connects                                          open
 *   turns N      N times: take the lock, write, release            turn TOKEN, N times, then done
 *   hold MILLIS  takes the lock, with a lease this long            held TOKEN
 *   write        looks at the lease, then writes                   written TOKEN | lost REASON | stale
 *   overwrite    writes without looking                            written TOKEN | stale
 *   release      gives it back                                     released true | released false
 *   close        disconnects                                       closed
 * </pre>
 *
 * <p>To write is to read the number in table {@code counter} and then, in another statement and transaction, to store the
 * next one, with the token, unless a higher one is there. Two who do so at once lose a count, or are refused; a holder that
 * is refused although its lease is valid says {@code violated}.
 */
public final class OtherClient implements AutoCloseable {
    /** Longer than any test lets one wait. */
    private static final Duration WAIT = Duration.ofMinutes(2);

    private static final Duration LEASE = Duration.ofSeconds(2);

    private final Process process;
    private final List<String> said = new CopyOnWriteArrayList<>();

    private OtherClient(Process process) {
        this.process = process;
        Thread reader = new Thread(this::listen, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** What the processes count in. */
    public static void createTables(String url) throws SQLException {
        Postgres.sql(
                url,
                "create table counter (value bigint not null, token bigint not null)",
                "insert into counter values (0, 0)",
                "create table journal (number bigint generated always as identity, token bigint, pid bigint)");
    }

    /** Starts one; it is connected by {@code open}. */
    public static OtherClient start() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new OtherClient(new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-Xmx64m",
                        "-cp",
                        classes,
                        OtherClient.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    public static OtherClient connected(String url) throws IOException {
        OtherClient client = start();
        client.tell("open " + url);
        client.awaitSaid("open");
        return client;
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

    public void tell(String command) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** Tells it and waits for the answer that starts so. */
    public String ask(String command, String answer) throws IOException {
        int before = said.size();
        tell(command);
        Await.until(
                process.pid() + " answers '" + answer + "' to '" + command + "'; it said " + tail(),
                () -> said.size() > before || !process.isAlive());
        String told = said.size() > before ? said.get(before) : "nothing";
        if (!told.startsWith(answer)) {
            throw new AssertionError("asked for '" + command + "' it answered '" + told + "', not '" + answer + "'");
        }
        return told.substring(answer.length()).trim();
    }

    public void awaitSaid(String start) {
        Await.until(
                process.pid() + " says '" + start + "'", () -> said.stream().anyMatch(line -> line.startsWith(start)));
    }

    /** All it said so far. */
    public List<String> said() {
        return List.copyOf(said);
    }

    private List<String> tail() {
        return said.subList(Math.max(0, said.size() - 3), said.size());
    }

    /** How many turns it acknowledged. */
    public int turns() {
        return (int) said.stream().filter(line -> line.startsWith("turn ")).count();
    }

    public long pid() {
        return process.pid();
    }

    /** Lets it stand still, as a long collection of garbage or a machine that sleeps does. */
    public void pause() throws IOException {
        signal("-STOP");
    }

    public void resume() throws IOException {
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
    public void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    // ---- in the other process

    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Commands commands = new Commands();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", 2);
            try {
                commands.run(words[0], words.length > 1 ? words[1] : "");
            } catch (RuntimeException | SQLException e) {
                System.out.println("failed: " + e);
            }
        }
        Runtime.getRuntime().halt(0); // the parent is gone, or done
    }

    private static final class Commands {
        private @Nullable LockClient locks;
        private @Nullable Connection database;
        private @Nullable Lease lease;

        void run(String command, String argument) throws SQLException, InterruptedException {
            switch (command) {
                case "open" -> {
                    locks = LockClient.on(PostgresStore.open(argument, PostgresConfig.DEFAULT), ClientConfig.DEFAULT);
                    database = Postgres.connect(argument);
                    say("open");
                }
                case "turns" -> turns(Integer.parseInt(argument));
                case "hold" -> {
                    lease = take(Duration.ofMillis(Long.parseLong(argument)));
                    say("held " + lease.token().value());
                }
                case "write" -> say(lookAndWrite(need(lease)));
                case "overwrite" -> say(write(need(lease), next()));
                case "release" -> say("released " + need(lease).release());
                case "close" -> {
                    need(locks).close();
                    need(database).close();
                    say("closed");
                }
                default -> say("unknown: " + command);
            }
        }

        private void turns(int count) throws SQLException, InterruptedException {
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
            return need(locks).acquire("counter", o -> o.lease(length).wait(WAIT));
        }

        private String lookAndWrite(Lease held) throws SQLException {
            long next = next();
            try {
                held.ensureValid();
            } catch (LeaseLostException e) {
                return "lost " + held.lostFor().map(Enum::name).orElse("?");
            }
            return write(held, next);
        }

        private long next() throws SQLException {
            try (Statement statement = need(database).createStatement();
                    ResultSet row = statement.executeQuery("select value from counter")) {
                row.next();
                return row.getLong(1) + 1;
            }
        }

        private String write(Lease held, long next) throws SQLException {
            // The count and its entry in one statement: a process that is killed leaves both or neither.
            try (PreparedStatement statement = need(database)
                    .prepareStatement("with written as (update counter set value = ?, token = ? where token < ?"
                            + " returning token) insert into journal (token, pid) select token, ? from written")) {
                long token = held.token().value();
                statement.setLong(1, next);
                statement.setLong(2, token);
                statement.setLong(3, token);
                statement.setLong(4, ProcessHandle.current().pid());
                if (statement.executeUpdate() == 1) {
                    return "written " + token;
                }
                return held.isValid() ? "violated: refused while the lease is valid" : "stale";
            }
        }

        private static void say(String what) {
            System.out.println(what);
        }

        private static <T> T need(@Nullable T thing) {
            if (thing == null) {
                throw new IllegalStateException("not opened or held yet");
            }
            return thing;
        }
    }
}
