// SPDX-FileCopyrightText: 2026 The ullnic authors
// SPDX-License-Identifier: Apache-2.0
//
// A card in a slot, with a simulated kernel VFIO: the driver's requests, their order, and each
// refusal. The device is a memory file, so its regions can be read, written and mapped like a
// device's.

#include <fcntl.h>
#include <linux/vfio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "card_process.h"

extern "C" {
#include "../../libullnic/transport.h"
}

namespace ullnic::test_card {
namespace {

constexpr uint64_t kDma = 0x3000, kCard = 0x5000, kConfig = 0x1000;  // offsets in the device's file
constexpr uint64_t kDmaBytes = 0x2000, kCardBytes = 0x1000;

// The kernel's side; records its requests.
struct Kernel {
  int container = -1, group = -1, device = -1;
  std::vector<std::string> opened;
  std::vector<unsigned long> asked;
  std::map<unsigned long, int> refuses;      // request: errno
  std::map<std::string, int> does_not_open;  // path: errno
  std::map<unsigned, uint64_t> place = {{UL_BAR_DMA, kDma}, {1, 0}, {UL_BAR_CARD, kCard}};
  int version = VFIO_API_VERSION, extension = 1;
  uint32_t status = VFIO_GROUP_FLAGS_VIABLE | VFIO_GROUP_FLAGS_CONTAINER_SET;
  vfio_iommu_type1_dma_map mapped{};
  uint32_t unmap_argsz = 0;
  uint64_t unmap_iova = 0, unmap_size = 0;
  std::map<unsigned, std::vector<int>> irqs;  // kind: eventfds
  uint32_t irq_flags = 0, irq_argsz = 0;

  int Answer(int fd, unsigned long request, void* value);
};
Kernel* kernel;

int Kernel::Answer(int fd, unsigned long request, void* value) {
  asked.push_back(request);
  if (refuses.count(request) != 0) return errno = refuses[request], -1;
  const unsigned long number = reinterpret_cast<unsigned long>(value);
  switch (request) {
    case VFIO_GET_API_VERSION:
      EXPECT_EQ(fd, container);
      return version;
    case VFIO_CHECK_EXTENSION:
      EXPECT_EQ(number, static_cast<unsigned long>(VFIO_TYPE1v2_IOMMU));
      return extension;
    case VFIO_GROUP_GET_STATUS:
      EXPECT_EQ(fd, group);
      static_cast<vfio_group_status*>(value)->flags = status;
      return 0;
    case VFIO_GROUP_SET_CONTAINER:
      EXPECT_EQ(fd, group);
      EXPECT_EQ(*static_cast<int*>(value), container);
      return 0;
    case VFIO_SET_IOMMU:
      EXPECT_EQ(fd, container);
      EXPECT_EQ(number, static_cast<unsigned long>(VFIO_TYPE1v2_IOMMU));
      return 0;
    case VFIO_GROUP_GET_DEVICE_FD:
      EXPECT_EQ(fd, group);
      EXPECT_STREQ(static_cast<char*>(value), "0000:01:00.0");
      return dup(device);
    case VFIO_DEVICE_GET_REGION_INFO: {
      auto& region = *static_cast<vfio_region_info*>(value);
      EXPECT_EQ(region.argsz, sizeof region);
      if (region.index == UL_CONFIG_SPACE) {
        region.offset = kConfig;
        region.size = 0x1000;
      } else if (place.count(region.index) != 0) {
        region.offset = place[region.index];
        region.size = region.index == UL_BAR_DMA ? kDmaBytes : kCardBytes;
      } else if (region.index % 2 == 1) {
        return errno = EINVAL, -1;
      } else {
        region.size = 0;
      }
      return 0;
    }
    case VFIO_DEVICE_GET_IRQ_INFO:
      EXPECT_EQ(static_cast<vfio_irq_info*>(value)->index, VFIO_PCI_MSIX_IRQ_INDEX);
      static_cast<vfio_irq_info*>(value)->count = 9;
      return 0;
    case VFIO_DEVICE_SET_IRQS: {
      const auto& set = *static_cast<vfio_irq_set*>(value);
      const int* fds = reinterpret_cast<const int*>(set.data);
      EXPECT_EQ(set.start, 0U);
      irqs[set.index].assign(fds, fds + set.count);
      irq_flags = set.flags;
      irq_argsz = set.argsz;
      return 0;
    }
    case VFIO_IOMMU_MAP_DMA:
      EXPECT_EQ(fd, container);
      mapped = *static_cast<vfio_iommu_type1_dma_map*>(value);
      return 0;
    case VFIO_IOMMU_UNMAP_DMA: {
      const auto& unmap = *static_cast<vfio_iommu_type1_dma_unmap*>(value);
      EXPECT_EQ(fd, container);
      unmap_argsz = unmap.argsz;
      unmap_iova = unmap.iova;
      unmap_size = unmap.size;
      return 0;
    }
    case VFIO_DEVICE_RESET:
      return 0;
    default:
      ADD_FAILURE() << "request " << request;
      return errno = ENOTTY, -1;
  }
}

}  // namespace

extern "C" {
int __real_open(const char* path, int flags, ...);
int __wrap_open(const char* path, int flags, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ul_vfio_find_group(const char*, const char*, const char*, char*, unsigned*);

int __wrap_open(const char* path, int flags, ...) {
  if (std::string_view(path).rfind("/dev/vfio/", 0) != 0) return __real_open(path, flags, 0600);
  kernel->opened.push_back(path);
  EXPECT_TRUE(flags & O_CLOEXEC) << path;
  if (kernel->does_not_open.count(path) != 0) return errno = kernel->does_not_open[path], -1;
  return path == std::string_view("/dev/vfio/vfio") ? kernel->container = memfd_create("c", 0)
                                                    : kernel->group = memfd_create("g", 0);
}

int __wrap_ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void* value = va_arg(arguments, void*);
  va_end(arguments);
  return kernel->Answer(fd, request, value);
}

// The directories of /sys are tested in libullnic_open_test.
int __wrap_ul_vfio_find_group(const char*, const char* root, const char* address, char* full,
                              unsigned* group) {
  EXPECT_STREQ(root, "/sys");
  snprintf(full, 13, "0000:%s", address);
  *group = 42;
  return 0;
}
}

namespace {

long OpenDescriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return std::distance(begin(entries), end(entries));
}

long MappedDevices() {
  std::ifstream maps("/proc/self/maps");
  long count = 0;
  for (std::string line; std::getline(maps, line);) {
    count += line.find("vfio-test-device") != std::string::npos;
  }
  return count;
}

class Vfio : public testing::Test {
 protected:
  void SetUp() override {
    kernel = &kernel_;
    kernel_.device = memfd_create("vfio-test-device", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(kernel_.device, 0x10000), 0);
    descriptors_ = OpenDescriptors();
  }
  void TearDown() override {
    if (card_ != nullptr) card_->ops->close(card_);
    EXPECT_EQ(OpenDescriptors(), descriptors_);
    EXPECT_EQ(MappedDevices(), 0);
    close(kernel_.device);
  }

  int Open() { return ul_vfio_open("vfio:01:00.0", "01:00.0", &card_); }

  uint32_t WordAt(uint64_t place) {
    uint32_t word = 0;
    EXPECT_EQ(pread(kernel_.device, &word, 4, static_cast<off_t>(place)), 4);
    return word;
  }

  void Fails(int error, const char* text) {
    EXPECT_EQ(Open(), -error) << text;
    EXPECT_EQ(card_, nullptr);
    EXPECT_NE(std::string(ullnic_last_error()).find(text), std::string::npos)
        << ullnic_last_error();
    EXPECT_EQ(OpenDescriptors(), descriptors_) << text;
    EXPECT_EQ(MappedDevices(), 0) << text;
    const int device = kernel_.device;
    kernel_ = Kernel();
    kernel_.device = device;
  }

  Kernel kernel_;
  ul_transport* card_ = nullptr;
  long descriptors_ = 0;
};

TEST_F(Vfio, IsSetUpInTheKernelsOrder) {
  ASSERT_EQ(Open(), 0);
  EXPECT_EQ(kernel_.opened, (std::vector<std::string>{"/dev/vfio/vfio", "/dev/vfio/42"}));
  const std::vector<unsigned long> first(kernel_.asked.begin(), kernel_.asked.begin() + 6);
  EXPECT_EQ(first, (std::vector<unsigned long>{VFIO_GET_API_VERSION, VFIO_CHECK_EXTENSION,
                                               VFIO_GROUP_GET_STATUS, VFIO_GROUP_SET_CONTAINER,
                                               VFIO_SET_IOMMU, VFIO_GROUP_GET_DEVICE_FD}));
  EXPECT_STREQ(card_->name, "vfio:01:00.0");
  EXPECT_EQ(card_->vectors, 9U);
  EXPECT_FALSE(card_->owned_elsewhere);
  EXPECT_EQ(std::vector<uint64_t>(card_->bar_size, card_->bar_size + 6),
            (std::vector<uint64_t>{kDmaBytes, 0, kCardBytes, 0, 0, 0}));
  EXPECT_EQ(MappedDevices(), 2);
}

TEST_F(Vfio, RegistersAreWhereTheRegionsAre) {
  ASSERT_EQ(Open(), 0);
  const std::map<unsigned, uint64_t> places = {
      {UL_BAR_DMA, kDma}, {UL_BAR_CARD, kCard}, {UL_CONFIG_SPACE, kConfig}};
  uint32_t next = 0x1234'5678;
  for (const auto& [region, place] : places) {
    for (const uint64_t offset : {0, 4, 0xffc}) {
      ASSERT_EQ(card_->ops->write32(card_, region, offset, ++next), 0);
      EXPECT_EQ(WordAt(place + offset), next);
      uint32_t value = 0;
      ASSERT_EQ(card_->ops->read32(card_, region, offset, &value), 0);
      EXPECT_EQ(value, next);
    }
  }
  ASSERT_EQ(ftruncate(kernel_.device, kConfig + 2), 0);
  uint32_t value = 0;
  EXPECT_EQ(card_->ops->read32(card_, UL_CONFIG_SPACE, 0, &value), -EIO);
}

TEST_F(Vfio, MemoryIsMapped) {
  ASSERT_EQ(Open(), 0);
  char memory[8192];
  ASSERT_EQ(card_->ops->map(card_, memory, -1, 4096, sizeof memory, 0x7'0000'0000), 0);
  const auto& map = kernel_.mapped;
  EXPECT_EQ(map.argsz, sizeof map);
  EXPECT_EQ(map.flags, static_cast<uint32_t>(VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE));
  EXPECT_EQ(map.vaddr, reinterpret_cast<uintptr_t>(memory));
  EXPECT_EQ(map.iova, 0x7'0000'0000U);
  EXPECT_EQ(map.size, sizeof memory);
  ASSERT_EQ(card_->ops->unmap(card_, 0x7'0000'0000, 4096), 0);
  EXPECT_EQ(kernel_.unmap_argsz, sizeof(vfio_iommu_type1_dma_unmap));
  EXPECT_EQ(kernel_.unmap_iova, 0x7'0000'0000U);
  EXPECT_EQ(kernel_.unmap_size, 4096U);

  kernel_.refuses = {{VFIO_IOMMU_MAP_DMA, ENOMEM}, {VFIO_IOMMU_UNMAP_DMA, EINVAL}};
  EXPECT_EQ(card_->ops->map(card_, memory, -1, 0, 8192, 0), -ENOMEM);
  EXPECT_NE(std::strstr(ullnic_last_error(), "cannot map 8 KiB"), nullptr) << ullnic_last_error();
  EXPECT_EQ(card_->ops->unmap(card_, 0, 4096), -EINVAL);
}

TEST_F(Vfio, VectorsAreEventfds) {
  ASSERT_EQ(Open(), 0);
  std::vector<int> fds(17);
  for (size_t i = 0; i < fds.size(); ++i) fds[i] = static_cast<int>(100 + i);
  for (const unsigned count : {1U, 9U, 16U}) {
    ASSERT_EQ(card_->ops->set_vectors(card_, fds.data(), count), 0);
    EXPECT_EQ(kernel_.irqs[VFIO_PCI_MSIX_IRQ_INDEX],
              std::vector<int>(fds.begin(), fds.begin() + count));
    EXPECT_EQ(kernel_.irq_argsz, sizeof(vfio_irq_set) + 4 * count);
    EXPECT_EQ(kernel_.irq_flags,
              static_cast<uint32_t>(VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD));
  }
  EXPECT_EQ(card_->ops->set_vectors(card_, fds.data(), 17), -EINVAL);
  EXPECT_EQ(kernel_.irqs[VFIO_PCI_MSIX_IRQ_INDEX].size(), 16U);
  ASSERT_EQ(card_->ops->set_vectors(card_, nullptr, 0), 0);
  EXPECT_EQ(kernel_.irqs[VFIO_PCI_MSIX_IRQ_INDEX].size(), 0U);
  EXPECT_EQ(kernel_.irq_flags,
            static_cast<uint32_t>(VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_NONE));
  kernel_.refuses = {{VFIO_DEVICE_SET_IRQS, ENOSPC}};
  EXPECT_EQ(card_->ops->set_vectors(card_, fds.data(), 1), -ENOSPC);
}

TEST_F(Vfio, Reset) {
  ASSERT_EQ(Open(), 0);
  EXPECT_EQ(card_->ops->reset(card_), 0);
  EXPECT_EQ(kernel_.asked.back(), VFIO_DEVICE_RESET);
  kernel_.refuses = {{VFIO_DEVICE_RESET, ENOTTY}};
  EXPECT_EQ(card_->ops->reset(card_), -ENOTTY);
}

TEST_F(Vfio, RemovalEndsEverything) {
  ASSERT_EQ(Open(), 0);
  uint32_t events = 0;
  const int watched = card_->ops->watch(card_, &events);
  EXPECT_EQ(events, static_cast<uint32_t>(EPOLLIN));
  EXPECT_EQ(kernel_.irqs[VFIO_PCI_REQ_IRQ_INDEX], std::vector<int>{watched});
  EXPECT_EQ(card_->ops->alive(card_), 0);

  ASSERT_EQ(eventfd_write(watched, 1), 0);
  EXPECT_EQ(card_->ops->alive(card_), -ENODEV);
  eventfd_t count = 0;
  ASSERT_EQ(eventfd_read(watched, &count), 0);
  EXPECT_EQ(card_->ops->alive(card_), -ENODEV);  // from now on
  const uint32_t before = WordAt(kDma);
  uint32_t value = 0;
  EXPECT_EQ(card_->ops->read32(card_, UL_BAR_DMA, 0, &value), -ENODEV);
  EXPECT_EQ(card_->ops->write32(card_, UL_BAR_DMA, 0, before + 1), -ENODEV);
  EXPECT_EQ(WordAt(kDma), before);
}

TEST_F(Vfio, EachRefusal) {
  kernel_.does_not_open["/dev/vfio/vfio"] = ENOENT;
  Fails(ENOENT, "modprobe vfio-pci");
  kernel_.version = VFIO_API_VERSION + 1;
  Fails(EPROTO, "no type 1 IOMMU");
  kernel_.extension = 0;
  Fails(EPROTO, "no type 1 IOMMU");
  kernel_.does_not_open["/dev/vfio/42"] = EBUSY;
  Fails(EBUSY, "end the program that holds the card");
  kernel_.does_not_open["/dev/vfio/42"] = EACCES;
  Fails(EACCES, "give this user access");
  kernel_.status = 0;
  Fails(ENXIO, "IOMMU group 42");
  kernel_.refuses[VFIO_GROUP_GET_STATUS] = EIO;
  Fails(ENXIO, "IOMMU group 42");
  for (const unsigned long request : {VFIO_GROUP_SET_CONTAINER, VFIO_SET_IOMMU}) {
    kernel_.refuses[request] = EPERM;
    Fails(EPERM, "cannot set the IOMMU up");
  }
  kernel_.refuses[VFIO_GROUP_GET_DEVICE_FD] = ENODEV;
  Fails(ENODEV, "VFIO does not give 0000:01:00.0");
  kernel_.place[UL_BAR_CARD] = kCard + 1;
  Fails(EINVAL, "cannot map BAR2");
}

TEST_F(Vfio, OldKernelsAndFewRegions) {
  kernel_.refuses = {{VFIO_DEVICE_SET_IRQS, EINVAL}, {VFIO_DEVICE_GET_IRQ_INFO, EINVAL}};
  kernel_.place.erase(UL_BAR_CARD);
  ASSERT_EQ(Open(), 0);
  EXPECT_EQ(card_->vectors, 0U);
  EXPECT_EQ(card_->bar_size[UL_BAR_CARD], 0U);
  EXPECT_EQ(MappedDevices(), 1);
  EXPECT_EQ(card_->ops->alive(card_), 0);
}

}  // namespace
}  // namespace ullnic::test_card
