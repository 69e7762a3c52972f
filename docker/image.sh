# shellcheck shell=bash
# Verbs of dev.sh: image and image_test. Read by dev.sh, which stands in the project's root.

engine_answers() { have docker && docker info >/dev/null 2>&1; }

image() {
    local tag="${1:-outrider:latest}"
    if engine_answers; then
        say "building $tag with docker"
        docker build -f docker/Dockerfile -t "$tag" .
    else
        need image
        say "no docker engine answers: building $tag with buildah"
        docker/build_with_buildah.sh "$tag"
    fi
}

image_test() { docker/test_image.sh "${1:-outrider:latest}"; }
