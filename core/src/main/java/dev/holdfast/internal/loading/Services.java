package dev.holdfast.internal.loading;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what is plugged in: stores, documents, keys, servers, actuators. */
public final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Services.class);

    private Services() {}

    /**
     * What the class loader of the calling thread knows, and then what is beside the type itself: in a container, or on a thread of
     * somebody else's, the first may know nothing of us, or another copy of us, to which what it has plugged in belongs. In
     * the order of their names, so that what is listed for people does not change with the order of a class path.
     */
    public static <T> List<T> of(Class<T> service) {
        Services.class.getModule().addUses(service); // of modules that are built after this one
        ClassLoader caller = Thread.currentThread().getContextClassLoader();
        Map<Class<?>, T> found = new LinkedHashMap<>();
        if (knows(caller, service)) {
            find(service, caller, found);
        }
        find(service, service.getClassLoader(), found);
        return found.values().stream()
                .sorted(Comparator.comparing(one -> one.getClass().getName()))
                .toList();
    }

    private static boolean knows(@Nullable ClassLoader loader, Class<?> service) {
        try {
            return loader != null && loader.loadClass(service.getName()) == service;
        } catch (ClassNotFoundException e) {
            return false; // nor anything that could be plugged in
        }
    }

    private static <T> void find(Class<T> service, ClassLoader loader, Map<Class<?>, T> found) {
        ServiceLoader.load(service, loader).stream()
                .forEach(provider -> found.computeIfAbsent(provider.type(), type -> made(provider)));
    }

    /** One that cannot be made is told of, and does not keep the others from being found. */
    private static <T> @Nullable T made(ServiceLoader.Provider<T> provider) {
        try {
            return provider.get();
        } catch (ServiceConfigurationError e) {
            LOG.warn("{} cannot be used: {}", provider.type().getName(), e.getMessage());
            return null;
        }
    }
}
