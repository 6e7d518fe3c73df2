package dev.holdfast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "version",
        header = "Print the version of Holdfast, Java and the operating system.",
        footer = "holdfast version",
        exitCodeList = {"0:Done.", "2:The command line is wrong."})
final class Version implements IVersionProvider, Runnable {
    @Spec
    private CommandSpec spec;

    private static final String RESOURCE = "version.properties";

    @Override
    public void run() {
        List.of(getVersion()).forEach(spec.commandLine().getOut()::println);
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "holdfast " + holdfast(),
            "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")",
            "os " + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                    + System.getProperty("os.arch")
        };
    }

    static String holdfast() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar; build it again.");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + RESOURCE, e);
        }
        return properties.getProperty("version");
    }
}
