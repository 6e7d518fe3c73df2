package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** The libraries as bundles, in a framework of OSGi. */
@DisplayName("in OSGi")
class BundlesTest {
    private static final Set<String> LIBRARIES =
            Set.of("holdfast-core", "holdfast-jdbc", "holdfast-wire", "holdfast-client");

    /** What they import. */
    private static final String NEEDED = "(slf4j-api|jackson-core|sqlite-jdbc|HikariCP)-.*\\.jar";

    /** slf4j asks for a mediator that finds its implementations; nobody has to do anything for it here. */
    private static final String CAPABILITIES =
            "osgi.extender;osgi.extender=\"osgi.serviceloader.processor\";version:Version=\"1.0.0\","
                    + "osgi.serviceloader;osgi.serviceloader=\"org.slf4j.spi.SLF4JServiceProvider\"";

    @TempDir
    private Path directory;

    private Framework framework;
    private final List<Bundle> bundles = new ArrayList<>();

    @BeforeEach
    void start() throws BundleException, IOException {
        framework = ServiceLoader.load(FrameworkFactory.class)
                .findFirst()
                .orElseThrow()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        directory.resolve("bundles").toString(),
                        Constants.FRAMEWORK_SYSTEMCAPABILITIES_EXTRA,
                        CAPABILITIES));
        framework.start();
        List<Path> jars = new ArrayList<>();
        for (Library library : Library.all()) {
            if (LIBRARIES.contains(library.artifact())) {
                library.jar().ifPresent(jars::add);
            }
        }
        Assumptions.assumeTrue(jars.size() == LIBRARIES.size(), "the libraries were not packed yet");
        Library.classPath()
                .filter(jar -> jar.getFileName().toString().matches(NEEDED))
                .forEach(jars::add);
        for (Path jar : jars) {
            bundles.add(framework.getBundleContext().installBundle(jar.toUri().toString()));
        }
        for (Bundle bundle : bundles) {
            bundle.start();
        }
    }

    @AfterEach
    void stop() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    private Class<?> type(String bundle, String name) throws ClassNotFoundException {
        return bundles.stream()
                .filter(it -> it.getSymbolicName().equals(bundle))
                .findFirst()
                .orElseThrow()
                .loadClass(name);
    }

    private static String lock(Class<?> type, Object client) throws Exception {
        try (AutoCloseable closed = (AutoCloseable) client) {
            AutoCloseable lease =
                    (AutoCloseable) type.getMethod("acquire", String.class).invoke(closed, "report");
            Object valid =
                    lease.getClass().getInterfaces()[0].getMethod("isValid").invoke(lease);
            lease.close();
            return "valid " + valid;
        }
    }

    @Test
    @DisplayName("all of them start, and locks are taken in memory and on SQLite")
    void works() throws Exception {
        assertThat(bundles).allMatch(bundle -> bundle.getState() == Bundle.ACTIVE);
        Class<?> client = type("dev.holdfast", "dev.holdfast.LockClient");
        assertThat(lock(client, client.getMethod("connect", String.class).invoke(null, "memory:")))
                .isEqualTo("valid true");
        Class<?> config = type("dev.holdfast.jdbc", "dev.holdfast.jdbc.SqliteConfig");
        Object store = type("dev.holdfast.jdbc", "dev.holdfast.jdbc.SqliteStore")
                .getMethod("open", Path.class, config)
                .invoke(
                        null,
                        directory.resolve("locks.db"),
                        config.getMethod("shared").invoke(null));
        Class<?> settings = type("dev.holdfast", "dev.holdfast.ClientConfig");
        Object onStore = client.getMethod("on", type("dev.holdfast", "dev.holdfast.spi.RecordStore"), settings)
                .invoke(null, store, settings.getField("DEFAULT").get(null));
        assertThat(lock(client, onStore)).isEqualTo("valid true");
    }
}
