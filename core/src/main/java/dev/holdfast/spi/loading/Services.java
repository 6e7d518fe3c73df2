package dev.holdfast.spi.loading;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Finds what is plugged in: stores, documents, keys, servers, actuators. */
public final class Services {
    private Services() {}

    /**
     * What the class loader of the calling thread knows, and then what is beside the type itself: in a container, or on a thread of
     * somebody else's, the first may know nothing of us.
     */
    public static <T> List<T> of(Class<T> type) {
        Map<Class<?>, T> found = new LinkedHashMap<>();
        for (ServiceLoader<T> loader :
                List.of(ServiceLoader.load(type), ServiceLoader.load(type, type.getClassLoader()))) {
            for (T one : loader) {
                found.putIfAbsent(one.getClass(), one);
            }
        }
        return List.copyOf(found.values());
    }
}
