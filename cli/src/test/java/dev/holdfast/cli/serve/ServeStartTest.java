package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliServer;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How a server process starts, and how it refuses to. */
@Execution(ExecutionMode.CONCURRENT)
class ServeStartTest {
    private static final Map<String, String> PLAIN = Map.of();

    @TempDir
    private Path directory;

    @Test
    @DisplayName("a second server on the same data is refused, and told who has it")
    void sameData() throws Exception {
        try (ServerProcess first = CliServer.start(directory, PLAIN).ready();
                ServerProcess second = CliServer.start(directory, PLAIN)) {
            assertThat(second.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(second.output())
                    .contains("holdfast serve at http://127.0.0.1:" + first.port())
                    .doesNotContain("\tat ");
            assertThat(first.get("/health/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("its data are its user's alone, whatever the umask; what an earlier version left open is closed")
    void privateData() throws Exception {
        Path data = Files.createDirectory(directory.resolve("holdfast-data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (ServerProcess server = CliServer.start(directory, PLAIN).ready()) {
            assertThat(server.post("/v1/app/lock/job/acquire", "{\"instanceId\":\"pod-1\",\"leaseDuration\":30}")
                            .statusCode())
                    .isEqualTo(200);
            try (Stream<Path> files = Files.walk(data)) {
                assertThat(files.toList())
                        .hasSizeGreaterThan(4)
                        .allSatisfy(
                                file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                                        .as(file.toString())
                                        .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
            }
        }
    }

    @Test
    @DisplayName("the first line says where it listens; what it does not do comes after it")
    void firstLine() throws Exception {
        try (ServerProcess server = CliServer.start(directory, PLAIN).ready()) {
            Await.until("it says what it does not do", () -> server.output().contains("which only records"));
            assertThat(server.output().lines().findFirst().orElseThrow()).contains("Holdfast listens on http://127");
        }
    }

    @Test
    @DisplayName("a port somebody has is told at once and alone: with who has it, and the way out; nothing is written")
    void portTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = CliServer.start(taken.getLocalPort(), directory, PLAIN)) {
            assertThat(server.exit()).isEqualTo(ExitCodes.USAGE);
            assertThat(server.output())
                    .contains("Cannot listen on 127.0.0.1:" + taken.getLocalPort(), "already in use", "--port ")
                    .doesNotContain("\tat ", "listens on http", "Exception", "WARN", "requests");
            assertThat(server.output().lines()).hasSize(1);
            if (Files.isDirectory(Path.of("/proc/self/fd"))) {
                assertThat(server.output())
                        .contains("process " + ProcessHandle.current().pid() + " (java)");
            }
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    @DisplayName("an address of another machine and a name nobody knows are told as clearly")
    void wrongAddress() throws Exception {
        Map<String, String> open = Map.of("AUTHENTICATION_DISABLED", "true");
        try (ServerProcess other = CliServer.start(directory, open, "--host=192.0.2.1");
                ServerProcess unknown = CliServer.start(directory, open, "--host=no-such-host.invalid")) {
            assertThat(other.exit()).isEqualTo(ExitCodes.USAGE);
            assertThat(other.output())
                    .contains("192.0.2.1", "no such address", "--host")
                    .doesNotContain("Exception");
            assertThat(unknown.exit()).isEqualTo(ExitCodes.USAGE);
            assertThat(unknown.output())
                    .contains("no-such-host.invalid", "no address of that name", "--host")
                    .doesNotContain("Exception");
        }
    }

    @Test
    @DisplayName("wrong settings are told all at once")
    void wrongSettings() throws Exception {
        try (ServerProcess server = CliServer.start(
                directory, Map.of("JWT_ISUER", "https://login"), "--locks.max-lease=soon", "--server.prot=1")) {
            assertThat(server.exit()).isEqualTo(ExitCodes.USAGE);
            assertThat(server.output())
                    .contains("JWT_ISUER", "JWT_ISSUER", "locks.max-lease", "'soon'", "server.prot")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    @DisplayName("a database that cannot be reached is an exit code of its own")
    void unreachable() throws Exception {
        try (ServerProcess server =
                CliServer.start(directory, PLAIN, "--store=postgresql://a:secret@127.0.0.1:1/x?connect_wait=1s")) {
            assertThat(server.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(server.output()).contains("127.0.0.1:1").doesNotContain("\tat ", "secret");
        }
    }

    @Test
    @DisplayName("the profile dynamodb chooses that store, which says where it does not find it")
    void dynamodb() throws Exception {
        Map<String, String> environment = Map.of(
                "SPRING_PROFILES_ACTIVE", "dynamodb",
                "LOCKER_DYNAMODB_ENDPOINT", "http://127.0.0.1:1",
                "LOCKER_DYNAMODB_ACCESS_KEY_ID", "AKID",
                "LOCKER_DYNAMODB_SECRET_ACCESS_KEY", "hush-hush");
        try (ServerProcess server = CliServer.start(directory, environment, "--store.connect-wait=1s")) {
            assertThat(server.exit()).isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(server.output())
                    .contains("Cannot reach DynamoDB table 'locks' in region 'us-east-1' at http://127.0.0.1:1")
                    .doesNotContain("\tat ", "hush-hush");
        }
    }

    private static String stacks(ServerProcess server) {
        try {
            return server.get("/state").body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName(
            "a demo touches no store but its own: --store and --data are refused with it, what is configured is left alone")
    void demoOnAnotherStore() throws Exception {
        for (String place : new String[] {"--store=postgresql://a:secret@127.0.0.1:1/x", "--data=here"}) {
            try (ServerProcess server = CliServer.start(directory, PLAIN, "--demo", place)) {
                assertThat(server.exit()).isEqualTo(ExitCodes.USAGE);
                assertThat(server.output())
                        .contains("--demo", "memory", place.substring(0, place.indexOf('=')))
                        .doesNotContain("secret");
            }
        }
        Map<String, String> configured = Map.of("DATABASE_URL", "postgresql://a:secret@127.0.0.1:1/x");
        try (ServerProcess server =
                CliServer.start(directory, configured, "--demo").ready()) {
            Await.until("its stacks are there", () -> stacks(server).contains("\"shop\"")); // made while it is ready
            Await.until("it says so", () -> server.output().contains("made up"));
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @DisplayName(
            "where the tables of documents cannot be used it says that state is not kept, and why; with them where it is kept")
    void stateNotKept() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of this test is for Linux on amd64");
        PostgresServer database = SharedPostgres.server();
        String name = database.freshDatabase();
        try (ServerProcess owner = CliServer.start(directory, PLAIN, "--store=" + database.url(name))
                .ready()) {
            Await.until("it says where", () -> owner.output().contains("State is kept in the same place"));
        }
        database.sql(
                name,
                "create role rows_" + name + " login",
                "grant select, insert, update, delete on all tables in schema public to rows_" + name,
                "revoke all on holdfast_document from rows_" + name);
        String store = database.url(name).replaceFirst("//[^@]*@", "//rows_" + name + "@");
        saysNotKept(store, "lacks a right");
        database.sql(
                name, "drop table holdfast_content, holdfast_document", "revoke create on schema public from public");
        saysNotKept(store, "grant usage and create on the schema");
    }

    private void saysNotKept(String store, String why) throws Exception {
        try (ServerProcess server =
                CliServer.start(directory, PLAIN, "--store=" + store).ready()) {
            Await.until("it says so", () -> server.output().contains("State is NOT kept: "));
            assertThat(server.output()).contains(why).doesNotContain("State is kept in");
        }
    }

    @Test
    @DisplayName("DATABASE_URL and AUTHENTICATION_DISABLED are enough for two replicas that everybody reaches")
    void seedNames() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of this test is for Linux on amd64");
        PostgresServer database = SharedPostgres.server();
        Map<String, String> environment =
                Map.of("DATABASE_URL", database.freshSchema(), "AUTHENTICATION_DISABLED", "true");
        try (ServerProcess one = CliServer.start(directory, environment, "--host=0.0.0.0")
                        .ready();
                ServerProcess two = CliServer.start(directory, environment, "--host=0.0.0.0")
                        .ready()) {
            String body = "{\"instanceId\":\"pod-1\",\"leaseDuration\":30}";
            assertThat(one.post("/v1/app/lock/job/acquire", body).statusCode()).isEqualTo(200);
            assertThat(two.post("/v1/app/lock/job/acquire", body.replace("pod-1", "pod-2"))
                            .statusCode())
                    .isEqualTo(423);
            assertThat(two.post("/v1/app/lock/job/release", "{\"instanceId\":\"pod-1\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(one.output()).contains("postgresql://", "Authentication is disabled");
            one.signal("TERM");
            assertThat(one.exit()).isZero();
            assertThat(two.get("/health/ready").statusCode()).isEqualTo(200);
        }
    }
}
