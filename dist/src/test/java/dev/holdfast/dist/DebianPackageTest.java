package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package for Debian and Ubuntu: what it says of itself, and installed by dpkg into a directory. */
@DisplayName("the Debian package")
class DebianPackageTest {
    private static final String PACKAGE = System.getProperty("holdfast.package");

    @TempDir
    private Path root;

    @BeforeEach
    void prepare() throws IOException {
        for (String directory : List.of("info", "updates", "triggers")) {
            Files.createDirectories(root.resolve("var/lib/dpkg").resolve(directory));
        }
        Files.createFile(root.resolve("var/lib/dpkg/status"));
        Files.createDirectory(root.resolve("etc"));
        Files.createFile(root.resolve("etc/passwd"));
        Files.createFile(root.resolve("etc/group"));
    }

    @Test
    @DisplayName("it needs Java 17, runs everywhere, keeps its configuration as a conffile, and belongs to root")
    void describesItself() throws Exception {
        assertThat(tool("dpkg-deb", "-f", PACKAGE))
                .contains("Package: holdfast\n", "Architecture: all\n")
                .contains("Depends: default-jre-headless (>= 2:1.17) | java17-runtime-headless")
                .doesNotContain("[[");
        assertThat(tool("dpkg-deb", "-I", PACKAGE, "conffiles")).isEqualTo("/etc/holdfast/holdfast.yaml\n");
        String content = tool("dpkg-deb", "-c", PACKAGE);
        assertThat(content.lines()).allMatch(line -> line.contains(" root/root "));
        assertThat(content)
                .containsPattern("(?m)^-rw-r----- .* \\./etc/holdfast/holdfast\\.yaml$")
                .containsPattern("(?m)^-rwxr-xr-x .* \\./usr/share/holdfast/bin/holdfast$")
                .containsPattern("(?m)^-rw-r--r-- .* \\./usr/share/holdfast/lib/holdfast\\.jar$")
                .containsPattern("(?m)^-rw-r--r-- .* \\./usr/lib/systemd/system/holdfast\\.service$")
                .containsPattern("(?m)^l.* \\./usr/bin/holdfast -> \\.\\./share/holdfast/bin/holdfast$")
                .contains(
                        "./usr/share/bash-completion/completions/holdfast",
                        "./usr/share/zsh/vendor-completions/_holdfast",
                        "./usr/share/fish/vendor_completions.d/holdfast.fish");
    }

    @Test
    @DisplayName("its scripts are in the shell's language")
    void scripts() throws Exception {
        assertThat(Installed.tool(
                                "dpkg-deb",
                                "-e",
                                PACKAGE,
                                root.resolve("control").toString())
                        .code())
                .isZero();
        for (String script : List.of("postinst", "prerm", "postrm")) {
            assertThat(Installed.tool(
                            "sh", "-n", root.resolve("control/" + script).toString()))
                    .isEqualTo(new Installed.Said(0, "", ""));
        }
    }

    @Test
    @DisplayName(
            "dpkg installs it with a user of its own; what is removed keeps configuration and data; what is purged keeps the data and says where")
    void installs() throws Exception {
        Assumptions.assumeTrue(System.getProperty("user.name").equals("root"), "only root can install a package");
        assertThat(dpkg("--force-depends", "-i", PACKAGE).code()).isZero();
        String group = entry("group");
        String user = entry("passwd");
        assertThat(Files.readString(root.resolve("etc/passwd"))).contains(":/var/lib/holdfast:/usr/sbin/nologin");
        assertThat(rights("etc/holdfast")).isEqualTo("750 0 " + group);
        assertThat(rights("etc/holdfast/holdfast.yaml")).isEqualTo("640 0 " + group);
        assertThat(rights("var/lib/holdfast")).isEqualTo("700 " + user + " " + group);
        assertThat(rights("var/cache/holdfast")).isEqualTo("755 0 0");
        assertThat(root.resolve("etc/systemd/system")).doesNotExist(); // it is not enabled

        Path home = Files.createDirectory(root.resolve("home"));
        Installed installed = Installed.at(root.resolve("usr/bin/holdfast"), home);
        assertThat(installed.run("version").quietly()).startsWith("holdfast ");

        Path configuration = root.resolve("etc/holdfast/holdfast.yaml");
        Files.writeString(configuration, Files.readString(configuration).replace("8080", "9090"));
        Path data = Files.writeString(root.resolve("var/lib/holdfast/holdfast.db"), "locks");
        assertThat(dpkg("--force-depends", "--force-confdef", "--force-confold", "-i", PACKAGE)
                        .code())
                .isZero();
        assertThat(configuration).content().contains("9090");
        assertThat(rights("etc/holdfast/holdfast.yaml")).isEqualTo("640 0 " + group);

        assertThat(dpkg("-r", "holdfast").code()).isZero();
        assertThat(root.resolve("usr/bin/holdfast")).doesNotExist();
        assertThat(configuration).content().contains("9090");
        assertThat(data).exists();

        Installed.Said purged = dpkg("-P", "holdfast");
        assertThat(purged.code()).isZero();
        assertThat(purged.out()).contains("stay in /var/lib/holdfast", "rm -r /var/lib/holdfast");
        assertThat(configuration.getParent()).doesNotExist();
        assertThat(root.resolve("var/cache/holdfast")).doesNotExist();
        assertThat(data).hasContent("locks");
    }

    @Test
    @DisplayName("systemd understands every line of the unit, and finds it well confined")
    void unit() throws Exception {
        Assumptions.assumeTrue(Installed.exists("systemd-analyze"), "there is no systemd-analyze on this machine");
        Path unpacked = root.resolve("unpacked");
        assertThat(Installed.tool("dpkg-deb", "-x", PACKAGE, unpacked.toString())
                        .code())
                .isZero();
        String text = Files.readString(unpacked.resolve("usr/lib/systemd/system/holdfast.service"));
        assertThat(text).contains("ExecStart=/usr/bin/holdfast serve --config /etc/holdfast/holdfast.yaml\n");
        // It is asked whether the program is there, which it is not on this machine.
        Path unit = Files.writeString(
                root.resolve("holdfast.service"), text.replace("ExecStart=/usr/bin/holdfast", "ExecStart=/bin/true"));
        assertThat(Installed.tool("systemd-analyze", "--man=no", "verify", unit.toString()))
                .isEqualTo(new Installed.Said(0, "", ""));
        // In tenths: below 3.0 is what systemd calls OK.
        Installed.Said security = Installed.tool(
                "systemd-analyze", "security", "--offline=yes", "--threshold=30", "--no-pager", unit.toString());
        Assumptions.assumeFalse(
                security.out().contains("unrecognized option"), "systemd-analyze is too old to look at a file");
        assertThat(security.code()).as(security.out()).isZero();
    }

    /** Into the directory; scripts are told so, since none of what they call is there. */
    private Installed.Said dpkg(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("dpkg", "--root=" + root, "--force-script-chrootless", "--force-not-root", "--log=/dev/null"));
        command.addAll(List.of(args));
        return Installed.tool(command);
    }

    private static String tool(String... command) throws IOException, InterruptedException {
        return Installed.tool(command).out();
    }

    /** The number of the user or group. */
    private String entry(String table) throws IOException {
        return Files.readString(root.resolve("etc/" + table))
                .lines()
                .filter(line -> line.startsWith("holdfast:"))
                .map(line -> line.split(":", -1)[2])
                .findFirst()
                .orElseThrow();
    }

    private String rights(String file) throws IOException, InterruptedException {
        return tool("stat", "-c", "%a %u %g", root.resolve(file).toString()).strip();
    }
}
