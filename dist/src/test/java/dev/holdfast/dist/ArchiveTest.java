package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The tar.gz as it is handed out: unpacked, and used. To make an archive of classes takes long: what needs one shares it. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("the archive to unpack")
class ArchiveTest {
    private static final Path ARCHIVE = Path.of(System.getProperty("holdfast.archive"));
    /** Nobody of importance; files of root are closed to it. */
    private static final String NOBODY = "65534";
    /** Not in a CI job, where the first start makes no archive of classes. */
    private static final Map<String, String> AT_HOME = Map.of("CI", "");

    @TempDir
    private Path directory;

    private Path home;
    private Path top;
    private Path hasty;

    @BeforeEach
    void unpack() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        hasty = hastyJava();
        unpack("programs");
    }

    /**
     * A Java whose archives have the classes of one short command alone, for tests of where archives are made and who uses them: to
     * rehearse all commands, and to dump what they need, takes most of the time of these tests.
     */
    private Path hastyJava() throws IOException {
        Path real = Path.of(System.getProperty("java.home"));
        Path place = Files.createDirectory(directory.resolve("hasty"));
        Files.copy(real.resolve("release"), place.resolve("release"));
        Path java = Files.writeString(
                Files.createDirectory(place.resolve("bin")).resolve("java"), """
                #!/bin/bash
                if [[ "$*" == *" rehearse "* ]]; then
                    : >"${!#}/libsqlitejdbc.so"
                    set -- "${@:1:$#-3}" version
                fi
                exec '%s' "$@"
                """.formatted(real.resolve("bin/java")));
        assertThat(java.toFile().setExecutable(true, false)).isTrue();
        return place;
    }

    private void unpack(String name) throws Exception {
        Path place = Files.createDirectory(directory.resolve(name));
        assertThat(Installed.tool("tar", "-xzf", ARCHIVE.toString(), "-C", place.toString())
                        .code())
                .isZero();
        try (Stream<Path> found = Files.list(place)) {
            List<Path> tops = found.toList();
            assertThat(tops).hasSize(1);
            top = tops.get(0);
        }
    }

    private Installed installed() {
        return installedFor();
    }

    /** It is called by way of this program. */
    private Installed installedFor(String... as) {
        return new Installed(top.resolve("bin/holdfast"), home, List.of(as));
    }

    private Installed hasty() {
        return installedFor("env", "JAVA_HOME=" + hasty);
    }

    @Test
    @DisplayName(
            "it has one directory with the program and what belongs to it, and rights that do not depend on who packed it")
    void content() throws Exception {
        assertThat(top.getFileName().toString()).startsWith("holdfast-");
        for (String file : List.of(
                "README",
                "INSTALL.md",
                "LICENSE",
                "lib/holdfast.jar",
                "etc/holdfast.yaml",
                "share/systemd/holdfast.service",
                "share/completions/holdfast.bash",
                "share/completions/_holdfast",
                "share/completions/holdfast.fish")) {
            assertThat(top.resolve(file)).isRegularFile().isNotEmptyFile();
        }
        String listed = Installed.tool("tar", "-tvzf", ARCHIVE.toString()).out();
        assertThat(listed.lines())
                .allMatch(line -> line.startsWith(
                        line.endsWith("/bin/holdfast")
                                ? "-rwxr-xr-x"
                                : line.endsWith("/") ? "drwxr-xr-x" : "-rw-r--r--"))
                .allMatch(line -> line.contains(" root/root ") || line.contains(" 0/0 "));
        assertThat(Files.readString(top.resolve("share/systemd/holdfast.service")))
                .doesNotContain("@LAUNCHER@")
                .contains("UMask=0077", "StateDirectory=holdfast", "[Install]");
        assertThat(Installed.tool(
                                "bash",
                                "-n",
                                top.resolve("share/completions/holdfast.bash").toString())
                        .code())
                .isZero();
    }

    @Test
    @DisplayName(
            "from a path with spaces, by a link on the PATH: a server keeps its locks when it is killed, and is asked by commands")
    void serves() throws Exception {
        unpack("my programs");
        Path bin = Files.createDirectories(home.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("absolute"), top.resolve("bin/holdfast"));
        Files.createSymbolicLink(bin.resolve("holdfast"), Path.of("absolute"));
        Installed onPath = new Installed(
                Path.of("holdfast"), home, List.of("env", "PATH=" + bin + ":" + System.getenv("PATH"), "nice", "-n0"));
        assertThat(onPath.run("version").quietly()).startsWith("holdfast ");
        assertThat(onPath.run("archive-classes").err()).contains("my programs", "start slower");

        int port = Installed.freePort();
        String server = Installed.url(port);
        Path data = home.resolve("data");
        Process first = installed().serve(port, data);
        try {
            assertThat(onPath.run(
                                    "exec",
                                    "nightly",
                                    "--server",
                                    server,
                                    "--",
                                    "sh",
                                    "-c",
                                    "echo \"token $HOLDFAST_FENCING_TOKEN\"")
                            .quietly())
                    .matches("token \\d+\\s");
            assertThat(onPath.run("acquire", "kept", "--lease", "1h", "--server", server)
                            .code())
                    .isZero();
        } finally {
            first.destroyForcibly().waitFor();
        }
        assertThat(onPath.run("ls", "--server", server).code()).isNotZero();

        Process second = installed().serve(port, data);
        try {
            assertThat(onPath.run("ls", "--server", server).quietly()).contains("kept");
        } finally {
            second.destroy();
            assertThat(second.waitFor()).isZero();
        }
    }

    @Test
    @DisplayName(
            "the first start makes an archive of classes beside the program, the next uses it; one of another jar is not used, even"
                    + " where time and size are the same, and one that is damaged is left alone")
    void archivesClasses() throws Exception {
        assertThat(installed().run(AT_HOME, "version").quietly()).startsWith("holdfast ");
        Path classes = awaited(top.resolve("cache"));
        assertThat(isUsed(installed())).isTrue();
        assertThat(installed().run("archive-classes").quietly().strip()).isEqualTo(classes.toString());
        assertThat(top.resolve("cache")).isDirectoryNotContaining("glob:**.making");

        Path jar = top.resolve("lib/holdfast.id");
        String id = Files.readString(jar);
        Files.writeString(jar, "0".repeat(id.length()));
        assertThat(isUsed(installed())).isFalse();
        assertThat(isUsed(hasty(), AT_HOME)).isFalse();
        assertThat(awaited(top.resolve("cache"), classes).getFileName().toString())
                .startsWith("0".repeat(id.length()));
        Files.writeString(jar, id);
        assertThat(isUsed(installed())).isTrue();

        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(classes, "not an archive");
        assertThat(installed().run("version").quietly()).startsWith("holdfast ");
        assertThat(isUsed(installed())).isFalse();
    }

    @Test
    @DisplayName(
            "in a directory that only others can write, it uses the caches of its user, whose archive nobody else loads; without any"
                    + " it works all the same")
    void readOnly() throws Exception {
        Installed user = asOther();
        Map<String, String> nowhere = Map.of("HOME", "", "CI", "");
        assertThat(user.run(nowhere, "version").quietly()).startsWith("holdfast ");
        assertThat(user.run(nowhere, "archive-classes").err()).contains("XDG_CACHE_HOME");

        Path caches = home.resolve("caches");
        Map<String, String> own = Map.of("XDG_CACHE_HOME", caches.toString(), "CI", "");
        assertThat(user.run(own, "version").quietly()).startsWith("holdfast ");
        Path classes = awaited(caches.resolve("holdfast"));
        assertThat(user.run(own, "archive-classes").quietly().strip()).isEqualTo(classes.toString());
        assertThat(isUsed(user, own)).isTrue();
        if (isRoot()) {
            assertThat(isUsed(hasty(), Map.of("XDG_CACHE_HOME", caches.toString())))
                    .as("root does not run what they made")
                    .isFalse();
        }
        assertThat(top.resolve("cache")).doesNotExist();
    }

    @Test
    @DisplayName("among caches that everybody can write, nothing is made")
    void openCaches() throws Exception {
        Assumptions.assumeTrue(isRoot(), "only root can be two users");
        Path foreign = Files.createDirectories(home.resolve("foreign/holdfast"));
        Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rwxrwxrwx"));
        Map<String, String> roots = Map.of("XDG_CACHE_HOME", foreign.getParent().toString());
        assertThat(asOther().run(roots, "archive-classes").err()).contains("There is no place for the archive");
        assertThat(foreign).isEmptyDirectory();
    }

    @Test
    @DisplayName(
            "one that root makes for all can be read by all; given to somebody else, it is not loaded by root; if it is closed, its"
                    + " user makes one of their own")
    void madeForAll() throws Exception {
        Assumptions.assumeTrue(isRoot(), "only root can give a file to somebody else, and reads what is closed");
        Installed careful = installedFor("env", "JAVA_HOME=" + hasty, "sh", "-c", "umask 077; exec \"$@\"", "sh");
        Path classes = Path.of(careful.run("archive-classes").quietly().strip());
        assertThat(isUsed(hasty())).isTrue();
        Path library = Path.of(classes.toString().replaceFirst("\\.jsa$", ""));
        for (Path one : List.of(classes.getParent(), classes, library)) {
            Files.setAttribute(one, "unix:uid", Integer.valueOf(NOBODY));
            assertThat(isUsed(hasty())).as(one.toString()).isFalse();
            Files.setAttribute(one, "unix:uid", 0);
        }
        assertThat(isUsed(hasty())).isTrue();

        Installed other = asOther();
        assertThat(isUsed(other)).isTrue();
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("r--------"));
        assertThat(other.run("archive-classes").quietly()).startsWith(home + "/.cache/holdfast/");
        assertThat(isUsed(other)).isTrue();
    }

    @Test
    @DisplayName(
            "a later Java that has dropped a flag runs commands all the same, and mistakes in flags of the user are told")
    void laterJava() throws Exception {
        Path later = Files.createDirectories(directory.resolve("later"));
        Files.writeString(later.resolve("release"), "JAVA_VERSION=\"99.0.1\"\n");
        Path java = Files.createDirectory(later.resolve("bin")).resolve("java");
        Path real = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.writeString(
                java,
                "#!/bin/sh\ncase \"$*\" in *IgnoreUnrecognized*) ;; *CompileThresholdScaling*) exit 1 ;; esac\nexec '"
                        + real + "' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        String home99 = later.toString();
        assertThat(installed().run(Map.of("JAVA_HOME", home99), "version").out())
                .startsWith("holdfast ");
        assertThat(installed()
                        .run(Map.of("JAVA_HOME", home99, "JAVA_TOOL_OPTIONS", "-Da=b"), "version")
                        .out())
                .startsWith("holdfast ");
        for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
            assertThat(installed()
                            .run(Map.of(variable, "-XX:+UseNonsense"), "version")
                            .code())
                    .as(variable)
                    .isNotZero();
        }
    }

    @Test
    @DisplayName("a Java that cannot make an archive is not asked again by every command")
    void cannotArchive() throws Exception {
        Path poor = Files.createDirectories(directory.resolve("poor/bin")).resolve("java");
        Path real = Path.of(System.getProperty("java.home"), "bin", "java");
        Files.writeString(
                poor,
                "#!/bin/sh\ncase \"$*\" in *rehearse*) exit 0 ;; *Xshare:dump*) exit 1 ;; esac\nexec '" + real
                        + "' \"$@\"\n");
        assertThat(poor.toFile().setExecutable(true)).isTrue();
        Map<String, String> java =
                Map.of("JAVA_HOME", poor.getParent().getParent().toString(), "CI", "");
        assertThat(installed().run(java, "archive-classes").err()).contains("could not be made");
        assertThat(top.resolve("cache")).isDirectoryContaining("glob:**.failed");
        try (Stream<Path> before = Files.list(top.resolve("cache"))) {
            before.forEach(file -> assertThat(file.toString()).endsWith(".failed"));
        }
        assertThat(installed().run(java, "version").quietly()).startsWith("holdfast ");
        assertThat(top.resolve("cache")).isDirectoryNotContaining("glob:**.making");
    }

    @Test
    @DisplayName("in a CI job, whose caches are thrown away, no archive is made")
    void inCi() throws Exception {
        assertThat(installed().run("version").quietly()).startsWith("holdfast ");
        assertThat(top.resolve("cache")).doesNotExist();
    }

    @Test
    @DisplayName("without a usable Java it says which one it found, and what to do")
    void withoutJava() throws Exception {
        assertThat(installed().run(Map.of("JAVA_HOME", "/nowhere"), "version").err())
                .isEqualTo("holdfast: JAVA_HOME is '/nowhere', but there is no bin/java in it. Correct or unset it.\n");
        Path old = Files.createDirectories(directory.resolve("old java"));
        Files.writeString(old.resolve("release"), "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"11.0.2\"\n");
        Path java = Files.writeString(Files.createDirectory(old.resolve("bin")).resolve("java"), "#!/bin/sh\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Installed.Said said = installed().run(Map.of("JAVA_HOME", old.toString()), "version");
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err())
                .isEqualTo("holdfast: '" + java
                        + "' is Java 11; Holdfast needs 17 or newer. Set JAVA_HOME to a newer one.\n");
    }

    @Test
    @DisplayName("its configuration has only keys there are, also in the examples that are commented out")
    void configuration() throws Exception {
        Path sample = top.resolve("etc/holdfast.yaml");
        assertThat(installed()
                        .run("config", "show", "--config", sample.toString())
                        .quietly())
                .contains("/var/lib/holdfast");
        String text = Files.readString(sample);
        Path examples = Files.writeString(
                home.resolve("examples.yaml"), text.replace("#: ", "").replace("/etc/holdfast/", home + "/"));
        assertThat(text.lines().filter(line -> line.strip().startsWith("#: "))).hasSizeGreaterThan(3);
        Files.writeString(home.resolve("store-url"), "memory:");
        Files.writeString(home.resolve("tls.crt"), "PEM");
        Files.writeString(home.resolve("tls.key"), "PEM");
        assertThat(installed()
                        .run("config", "show", "--config", examples.toString())
                        .quietly())
                .contains("login.example.com");
        Files.writeString(examples, text.replace("max-lease", "max-leese"));
        assertThat(installed()
                        .run("config", "show", "--config", examples.toString())
                        .code())
                .isEqualTo(2);
    }

    /** Somebody who cannot write where it is installed. */
    private Installed asOther() throws IOException {
        if (!isRoot()) {
            try (Stream<Path> all = Files.walk(top)) {
                for (Path one : all.filter(Files::isDirectory).toList()) {
                    Files.setPosixFilePermissions(one, PosixFilePermissions.fromString("r-xr-xr-x"));
                }
            }
            return hasty();
        }
        Assumptions.assumeTrue(Installed.exists("setpriv"), "there is no setpriv, and root can write everywhere");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        return installedFor(
                "setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "env", "JAVA_HOME=" + hasty);
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static Path awaited(Path cache, Path... but) throws Exception {
        Instant limit = Instant.now().plus(Installed.LIMIT);
        while (Instant.now().isBefore(limit)) {
            Optional<Path> found = archives(cache).stream()
                    .filter(one -> !List.of(but).contains(one))
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            Thread.sleep(100); // until it is there, not to be sure
        }
        throw new AssertionError("no archive was made in " + cache);
    }

    private static List<Path> archives(Path cache) throws IOException {
        if (!Files.isDirectory(cache)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cache)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    private boolean isUsed(Installed installed) throws Exception {
        return isUsed(installed, Map.of());
    }

    /** Whether its main class came out of an archive: the JVM writes down where each is from. */
    private boolean isUsed(Installed installed, Map<String, String> variables) throws Exception {
        Path log = home.resolve("classes.log");
        Map<String, String> all = new HashMap<>(variables);
        all.put("_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
        assertThat(installed.run(all, "version").code()).isZero();
        String main = Files.readString(log)
                .lines()
                .filter(line -> line.contains(" dev.holdfast.cli.Main source: "))
                .findFirst()
                .orElseThrow();
        Files.delete(log);
        return main.contains("shared objects file");
    }
}
